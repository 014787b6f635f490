// One payout: where its money goes, what it costs, what happened, and cancelling it while that is possible.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link, useParams } from 'react-router';
import { CircleX, FilePlus, Flag, UserCheck } from 'lucide-react';
import { useState } from 'react';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useLiveAnswer } from '../../api/live.ts';
import { useAct } from '../../api/queries.ts';
import { useMay, usePerson } from '../../api/session.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Money } from '../../parts/money.tsx';
import { Notice } from '../../parts/notice.tsx';
import { BackLink, Card, Fact, Facts, Page, Split, Stack } from '../../parts/page.tsx';
import { ReasonDialog } from '../../parts/data/reason-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, words } from '../../words/words.ts';
import styles from '../orders/orders.module.css';
import { Entry, TimelineList } from '../timeline/entry.tsx';
import { LedgerEntry, SendingEntry } from '../timeline/money-entries.tsx';
import { WebhookEntry } from '../timeline/webhook-entry.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { PayeeFacts } from './payee-facts.tsx';
import { PayoutBadge } from './payout-badge.tsx';

type PayoutAnswer = ResponseOf<'payouts.read'>;

export function Payout() {
  const { merchantId = '', tradeNo = '' } = useParams();
  const { payout: text } = words;
  const currencies = useCurrencies();
  const query = useLiveAnswer('payouts.read', { merchant_id: merchantId, trade_no: tradeNo });
  const payout = query.data?.payout;
  const isApprovable = payout?.can_cancel === true || query.data?.waits_for === 'approval';
  return (
    <Page
      title={`${text.title} ${tradeNo}`}
      heading={
        payout === undefined ? (
          <h1>{text.title}</h1>
        ) : (
          <>
            <h1 className={styles['figure']}>
              <Money amount={trimZeros(payout.amount, 2)} symbol={currencies.symbol(payout.currency_id)} />
            </h1>
            <PayoutBadge
              status={payout.status}
              needsApproval={payout.needs_approval && payout.approved_until === null}
            />
          </>
        )
      }
      back={<BackLink to={`/m/${merchantId}/payouts`}>{words.payouts.title}</BackLink>}
      actions={
        <>
          {payout?.can_cancel === true && <CancelButton tradeNo={tradeNo} />}
          {query.data !== undefined && isApprovable && <ApproveButton answer={query.data} />}
        </>
      }
    >
      <Answer query={query} skeleton={<Bone width="100%" height={240} />}>
        {(answer) => (
          <Stack>
            {answer.waits_for !== null && <Notice tone="part">{text.waitsFor[answer.waits_for]}</Notice>}
            <Split>
              <Card title={words.order.timeline} bare>
                <TimelineList entries={answer.timeline}>
                  {(entry) => <PayoutEntry entry={entry} currencies={currencies} />}
                </TimelineList>
              </Card>
              <PayoutFacts answer={answer} currencies={currencies} />
            </Split>
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

function CancelButton({ tradeNo }: { readonly tradeNo: string }) {
  const { merchantId = '' } = useParams();
  const { payout: text } = words;
  const [open, setOpen] = useState(false);
  const act = useAct('payouts.cancel', () => {
    say(text.cancelled);
    setOpen(false);
  });
  if (!useMay(merchantId)('pay-out')) return null;
  return (
    <>
      <Button tone="danger" onClick={() => setOpen(true)}>
        {text.cancel}
      </Button>
      <ReasonDialog
        title={text.cancelTitle}
        description={text.cancelUnder}
        confirm={text.cancel}
        open={open}
        isBusy={act.isPending}
        error={act.error}
        onClose={() => setOpen(false)}
        onConfirm={(reason) => act.mutate({ merchant_id: merchantId, trade_no: tradeNo, reason })}
      />
    </>
  );
}

/** Shown only where the payout needs a second person, and not to the person who asked for it. */
function ApproveButton({ answer: { payout, now } }: { readonly answer: PayoutAnswer }) {
  const { merchantId = '' } = useParams();
  const { person_id: personId } = usePerson();
  const [open, setOpen] = useState(false);
  const may = useMay(merchantId)('approve');
  if (!may || !payout.needs_approval || payout.asked_by?.person_id === personId) return null;
  return (
    <>
      <Button tone="primary" onClick={() => setOpen(true)}>
        {words.approval.open}
      </Button>
      {open && (
        <ApproveDialog
          tradeNo={payout.trade_no}
          canDecline={(payout.approved_until ?? 0) <= now}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface PayoutEntryProps {
  readonly entry: PayoutAnswer['timeline'][number];
  readonly currencies: Currencies;
}

function PayoutEntry({ entry, currencies }: PayoutEntryProps) {
  const { timeline: text } = words;
  switch (entry.kind) {
    case 'created':
      return <Entry at={entry.at} icon={FilePlus} title={text.created} />;
    case 'approved':
      return (
        <Entry
          at={entry.at}
          icon={UserCheck}
          tone="paid"
          title={fill(text.approved, { approver: entry.approver })}
          line={
            <>
              {text.approvedUntil} <Time at={entry.until} />
            </>
          }
        />
      );
    case 'sending':
      return <SendingEntry entry={entry} currencies={currencies} />;
    case 'ledger':
      return <LedgerEntry entry={entry} currencies={currencies} />;
    case 'webhook':
      return <WebhookEntry entry={entry} />;
    case 'ended':
      return (
        <Entry
          at={entry.at}
          icon={entry.status === 'PAID' ? Flag : CircleX}
          tone={entry.status === 'PAID' ? 'paid' : 'part'}
          title={entry.declined ? fill(text.declined, { by: entry.by ?? '' }) : text.ended[entry.status]}
          line={entry.reason}
        />
      );
  }
}

interface PayoutFactsProps {
  readonly answer: PayoutAnswer;
  readonly currencies: Currencies;
}

function PayoutFacts({
  answer: { payout, refund, fee_cap: cap, fee_cap_currency_id: capId },
  currencies,
}: PayoutFactsProps) {
  const { payout: text } = words;
  const symbol = currencies.symbol(payout.currency_id);
  return (
    <Card title={words.order.facts}>
      <Facts>
        <PayeeFacts payout={payout} currencies={currencies} />
        <Fact name={text.receives}>
          <Money amount={trimZeros(payout.receipt, 2)} symbol={symbol} />
        </Fact>
        <Fact name={text.cost}>
          <Money amount={trimZeros(payout.cost, 2)} symbol={symbol} />
        </Fact>
        <Fact name={text.leaves}>
          <Money amount={trimZeros(payout.reserved, 2)} symbol={symbol} />
        </Fact>
        <Fact name={text.feeCap}>
          <Money amount={trimZeros(cap)} symbol={currencies.symbol(capId)} />
        </Fact>
        <Fact name={words.payouts.askedBy}>
          <bdi>{payout.asked_by?.name ?? words.payouts.byApi}</bdi>
        </Fact>
        {refund !== null && <RefundFacts refund={refund} />}
        <Fact name={words.order.ourNumber}>
          <Copyable text={payout.trade_no} label={words.order.ourNumber} form="short" />
        </Fact>
      </Facts>
    </Card>
  );
}

function RefundFacts({ refund }: { readonly refund: NonNullable<PayoutAnswer['refund']> }) {
  const { merchantId = '' } = useParams();
  const { order_trade_no: order, by, reason } = refund;
  return (
    <>
      {order !== null && (
        <Fact name={words.payout.refundOf} stacked>
          <Link to={`/m/${merchantId}/orders/${order}`}>{order}</Link>
        </Fact>
      )}
      <Fact name={words.reason} stacked>
        <bdi>{reason}</bdi>
        {' · '}
        <bdi>{fill(words.timeline.refund, { by })}</bdi>
      </Fact>
    </>
  );
}
