// The story of one order, from its first second to the last coin collected.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Coins, FilePlus, Scale, TimerOff, Undo2, UserCheck } from 'lucide-react';
import { Link, useParams } from 'react-router';
import type { Currencies } from '../../api/currencies.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Money } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import { counted, fill, words } from '../../words/words.ts';
import { Address } from '../address.tsx';
import { Entry, Rows, TimelineList } from '../timeline/entry.tsx';
import {
  CollectionEntry,
  type EntryOf,
  LedgerEntry,
  ReorgEntry,
  TransferEntry,
} from '../timeline/money-entries.tsx';
import { WebhookEntry } from '../timeline/webhook-entry.tsx';
import { SendBack } from './send-back.tsx';
import { PayoutBadge } from '../payouts/payout-badge.tsx';

type Timeline = ResponseOf<'orders.read'>['timeline'];

interface OrderTimelineProps {
  readonly timeline: Timeline;
  readonly currencies: Currencies;
}

export function OrderTimeline({ timeline, currencies }: OrderTimelineProps) {
  return (
    <TimelineList entries={timeline}>
      {(entry) => <OrderEntry entry={entry} currencies={currencies} coin={coinOf(timeline, currencies)} />}
    </TimelineList>
  );
}

/** The coin of the quoted price: the one that the payer chose, or that paid the order. */
function coinOf(timeline: Timeline, currencies: Currencies): string | null {
  const named = timeline.find(
    (entry) => entry.kind === 'choice' || (entry.kind === 'transfer' && entry.disposition === 'payment'),
  );
  return named !== undefined && 'currency_id' in named ? currencies.symbol(named.currency_id) : null;
}

interface OrderEntryProps {
  readonly entry: Timeline[number];
  readonly currencies: Currencies;
  readonly coin: string | null;
}

function OrderEntry({ entry, currencies, coin }: OrderEntryProps) {
  const { timeline: text } = words;
  switch (entry.kind) {
    case 'created':
      return <Entry at={entry.at} icon={FilePlus} title={text.created} />;
    case 'quote':
      return <QuoteEntry entry={entry} coin={coin} />;
    case 'choice':
      return (
        <Entry
          at={entry.at}
          icon={Coins}
          title={fill(text.choice, { coin: currencies.name(entry.currency_id) })}
          line={
            <>
              <Money amount={trimZeros(entry.amount, 2)} symbol={currencies.symbol(entry.currency_id)} />{' '}
              <Address
                text={entry.address}
                label={text.to}
                currencies={currencies}
                currencyId={entry.currency_id}
              />
            </>
          }
        />
      );
    case 'transfer':
      return (
        <TransferEntry
          entry={entry}
          currencies={currencies}
          action={entry.can_send_back && <SendBack transfer={entry} />}
        />
      );
    case 'reorg':
      return <ReorgEntry entry={entry} />;
    case 'ledger':
      return <LedgerEntry entry={entry} currencies={currencies} />;
    case 'webhook':
      return <WebhookEntry entry={entry} />;
    case 'expired':
      return <Entry at={entry.at} icon={TimerOff} tone="part" title={text.expired} />;
    case 'accepted':
      return (
        <Entry
          at={entry.at}
          icon={UserCheck}
          tone="paid"
          title={fill(text.accepted, { by: entry.by })}
          line={<bdi>{entry.reason}</bdi>}
        />
      );
    case 'collection':
      return <CollectionEntry entry={entry} currencies={currencies} />;
    case 'refund':
      return <RefundEntry entry={entry} currencies={currencies} />;
  }
}

interface RefundEntryProps {
  readonly entry: EntryOf<'refund'>;
  readonly currencies: Currencies;
}

function RefundEntry({ entry, currencies }: RefundEntryProps) {
  const { merchantId = '' } = useParams();
  const { timeline: text } = words;
  return (
    <Entry
      at={entry.at}
      icon={Undo2}
      tone={entry.status === 'PAID' ? 'paid' : 'part'}
      title={
        <>
          {fill(text.refund, { by: entry.by })} <PayoutBadge status={entry.status} needsApproval={false} />
        </>
      }
      line={
        <>
          <Link to={`/m/${merchantId}/payouts/${entry.trade_no}`}>
            <Money amount={trimZeros(entry.amount, 2)} symbol={currencies.symbol(entry.currency_id)} />
          </Link>{' '}
          <Address text={entry.to} label={text.to} currencies={currencies} currencyId={entry.currency_id} />{' '}
          <bdi>{entry.reason}</bdi>
        </>
      }
    />
  );
}

interface QuoteEntryProps {
  readonly entry: EntryOf<'quote'>;
  readonly coin: string | null;
}

function QuoteEntry({ entry: { at, quote, evidence }, coin }: QuoteEntryProps) {
  const { timeline: text } = words;
  return (
    <Entry
      at={at}
      icon={Scale}
      title={fill(text.quote, { ...quote, coin: coin ?? evidence?.[0]?.base ?? text.token })}
      line={quote.source}
      moreLabel={counted(text.evidence, evidence?.length ?? 0)}
      more={
        evidence?.length === 0 ? undefined : evidence === null ? (
          text.evidenceDamaged
        ) : (
          <Rows
            rows={evidence.map(({ source, base, quote: into, price, at: read, verdict }, place) => [
              String(place),
              <>
                {source} · <Time at={read} form="exact" /> · {text.verdicts[verdict]}
              </>,
              `1 ${base} = ${price} ${into}`,
            ])}
          />
        )
      }
    />
  );
}
