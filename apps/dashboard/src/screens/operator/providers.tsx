// For operators: the quality of each chain's providers, as the process that watches the chain has measured it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAnswer } from '../../api/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { TableCard } from '../../parts/data/table-card.tsx';
import { WithReason } from '../../parts/data/with-reason.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { fill, language, words } from '../../words/words.ts';

type Row = ResponseOf<'chains.list-providers'>['providers'][number];

/** Renders nothing in the first minute. */
export function Providers() {
  const rows = useAnswer('chains.list-providers', {}, { every: 60_000 }).data?.providers ?? [];
  return (
    <TableCard
      title={words.providers.title}
      columns={providerColumns()}
      rows={rows}
      rowKey={({ chain, provider }) => `${chain} ${provider}`}
    />
  );
}

function providerColumns(): readonly Column<Row>[] {
  const { providers: text } = words;
  const count = (number: number) => number.toLocaleString(language);
  return [
    {
      key: 'provider',
      head: text.provider,
      cell: ({ chain, provider }) => (
        <>
          <strong>{chain}</strong> <bdi>{provider}</bdi>
        </>
      ),
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ circuit, reason }) => (
        <WithReason reason={reason}>
          <CircuitBadge circuit={circuit} />
        </WithReason>
      ),
    },
    {
      key: 'errors',
      head: text.failed,
      end: true,
      phone: 'named',
      cell: ({ week }) => fill(text.failedOf, { failures: count(week.failures), calls: count(week.calls) }),
    },
    {
      key: 'time',
      head: text.time,
      end: true,
      phone: 'named',
      cell: ({ week }) => (week.mean_ms === null ? '' : fill(text.ms, { time: count(week.mean_ms) })),
    },
    {
      key: 'behind',
      head: text.behind,
      end: true,
      phone: 'named',
      cell: ({ blocks_behind: behind }) => (behind === null ? '' : count(behind)),
    },
    {
      key: 'disagreed',
      head: text.disagreed,
      end: true,
      phone: 'named',
      cell: ({ week }) => count(week.disagreements),
    },
  ];
}

function CircuitBadge({ circuit }: Pick<Row, 'circuit'>) {
  const { providers: text } = words;
  if (circuit === 'closed')
    return (
      <Badge tone="paid" icon="done">
        {text.used}
      </Badge>
    );
  return (
    <Badge tone={circuit === 'open' ? 'error' : 'part'} icon={circuit === 'open' ? 'off' : 'warning'}>
      {circuit === 'open' ? text.open : text.trial}
    </Badge>
  );
}
