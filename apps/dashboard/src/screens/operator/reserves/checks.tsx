// How far each currency was compared with its chain, and where a chain could not be asked.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Badge } from '../../../parts/badge.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';
import type { ReservesProps } from './reserve-lists.tsx';

type Check = ResponseOf<'reserves.read'>['checks'][number];

export function Checks({ answer: { checks }, currencies }: ReservesProps) {
  const { reserves: text } = words;
  const columns: readonly Column<Check>[] = [
    { key: 'coin', head: words.orders.coin, cell: (row) => currencies.name(row.currency_id) },
    {
      key: 'trouble',
      head: words.orders.state,
      fill: true,
      phone: 'end',
      cell: ({ trouble }) => (
        <span title={trouble ?? undefined}>
          <Badge tone={trouble === null ? 'paid' : 'part'} icon={trouble === null ? 'done' : 'warning'}>
            {trouble === null ? text.works : text.trouble}
          </Badge>
        </span>
      ),
    },
    {
      key: 'checked',
      head: text.compared,
      end: true,
      phone: 'named',
      cell: ({ round_checked: count }) => count,
    },
    {
      key: 'last',
      head: text.lastRound,
      end: true,
      phone: 'out',
      cell: ({ last_round_checked: count }) => count,
    },
    {
      key: 'since',
      head: text.since,
      phone: 'named',
      cell: ({ round_started_at: at }) => <Time at={at} form="relative" />,
    },
  ];
  return (
    <TableCard
      title={text.checks}
      columns={columns}
      rows={checks}
      rowKey={(row) => `${row.chain} ${row.currency_id}`}
    />
  );
}
