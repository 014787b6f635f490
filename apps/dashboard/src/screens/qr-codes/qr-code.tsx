// One QR code: its payments and their sum, its sheet for the counter, and switching it off and on.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { Printer } from 'lucide-react';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAct, useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { evenDecimals, trimZeros } from '../../format/amounts.ts';
import { shorten } from '../../format/groups.ts';
import { Button } from '../../parts/button.tsx';
import { ExplorerLink } from '../../parts/copyable.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { type Column, Table } from '../../parts/data/table.tsx';
import { Money } from '../../parts/money.tsx';
import { BackLink, Card, Fact, Facts, Page, Split } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, words } from '../../words/words.ts';
import { QrSheet } from './qr-sheet.tsx';

type Answered = ResponseOf<'qr-codes.read'>;
type Code = Answered['qr_code'];

export function QrCode() {
  const { merchantId = '', qrCodeId = '' } = useParams();
  const { qrCodes: text } = words;
  const filters = useFilters();
  const currencies = useCurrencies();
  const wanted = { merchant_id: merchantId, qr_code_id: Number(qrCodeId), ...filters.cursor };
  const query = useAnswer('qr-codes.read', wanted, { every: 15_000 });
  const code = query.data?.qr_code;
  return (
    <Page
      title={code?.name ?? text.title}
      back={<BackLink to={`/m/${merchantId}/qr-codes`}>{text.title}</BackLink>}
      actions={code !== undefined && <CodeActions code={code} />}
    >
      <Answer query={query} skeleton={<Bone width="100%" height={240} />}>
        {({ qr_code: shown, payments, next_cursor: next }) => (
          <Split>
            <Card title={text.payments} bare>
              {payments.length === 0 ? (
                <Empty title={text.noPayments}>{text.noPaymentsUnder}</Empty>
              ) : (
                <Table
                  label={text.payments}
                  columns={paymentColumns(shown, currencies)}
                  rows={payments}
                  rowKey={(row) => row.trade_no}
                  pages={filters.pages(next)}
                  bare
                />
              )}
            </Card>
            <CodeFacts code={shown} currencies={currencies} />
          </Split>
        )}
      </Answer>
    </Page>
  );
}

function CodeActions({ code }: { readonly code: Code }) {
  const { merchantId = '' } = useParams();
  const { qrCodes: text } = words;
  const isOff = code.disabled_time !== null;
  const act = useAct('qr-codes.switch', () => say(isOff ? text.enabledNow : text.disabledNow));
  return (
    <>
      <Button icon={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
        {text.print}
      </Button>
      {useMay(merchantId)('develop') && (
        <Button
          tone={isOff ? 'plain' : 'danger'}
          busy={act.isPending}
          onClick={() =>
            act.mutate(
              { merchant_id: merchantId, qr_code_id: code.qr_code_id, is_disabled: !isOff },
              { onError: (error) => say(refusalText(error)) },
            )
          }
        >
          {isOff ? text.enable : text.disable}
        </Button>
      )}
    </>
  );
}

interface CodeFactsProps {
  readonly code: Code;
  readonly currencies: Currencies;
}

function CodeFacts({ code, currencies }: CodeFactsProps) {
  const { qrCodes: text } = words;
  const symbol = currencies.symbol(code.currency_id);
  return (
    <Card title={text.sheet}>
      <QrSheet code={code} currencies={currencies} />
      <Facts figures>
        <Fact name={words.order.got}>
          <Money amount={trimZeros(code.collected, 2)} symbol={symbol} />
        </Fact>
        <Fact name={text.payments}>{code.payments > 10_000 ? '10,000+' : code.payments}</Fact>
        <Fact name={words.orders.state}>
          {code.disabled_time === null ? (
            text.inUse
          ) : (
            <>
              {text.disabled} <Time at={code.disabled_time} />
            </>
          )}
        </Fact>
      </Facts>
      {code.disabled_time !== null && <p>{fill(text.stillWatched, { name: code.name })}</p>}
    </Card>
  );
}

function paymentColumns(
  { currency_id: id }: Code,
  currencies: Currencies,
): readonly Column<Answered['payments'][number]>[] {
  const { qrCodes: text } = words;
  return [
    { key: 'at', head: text.came, cell: ({ at }) => <Time at={at} /> },
    {
      key: 'from',
      head: words.receipts.from,
      name: true,
      phone: 'minor',
      cell: ({ from, tx_id: tx }) => (
        <>
          <bdi title={from}>{from === '' ? words.none : shorten(from, 8, 6)}</bdi>
          <ExplorerLink to={currencies.explorer(id, 'tx', tx)} label={words.timeline.transaction} />
        </>
      ),
    },
    {
      key: 'amount',
      head: words.orders.amount,
      end: true,
      phone: 'end',
      cell: ({ amount }, rows) => (
        <Money
          amount={evenDecimals(
            amount,
            rows.map((row) => row.amount),
          )}
          symbol={currencies.symbol(id)}
        />
      ),
    },
    {
      key: 'how',
      head: words.orders.state,
      phone: 'minor-end',
      cell: ({ disposition }) => (disposition === 'late' ? text.late : text.paid),
    },
  ];
}
