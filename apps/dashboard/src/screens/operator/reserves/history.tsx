// The results of comparing the books with the chains, day by day.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { useCurrencies } from '../../../api/currencies.ts';
import { useAnswer } from '../../../api/queries.ts';
import { dayText } from '../../../format/times.ts';
import { Badge } from '../../../parts/badge.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { language, words } from '../../../words/words.ts';

type Day = ResponseOf<'reserves.list-days'>['days'][number];
type Currencies = ReturnType<typeof useCurrencies>;

/** Renders nothing before the first comparison. */
export function History({ currencies }: { readonly currencies: Currencies }) {
  const days = useAnswer('reserves.list-days', {}, { every: 60_000 }).data?.days ?? [];
  return (
    <TableCard
      title={words.reserves.history}
      columns={dayColumns(currencies)}
      rows={days}
      rowKey={({ day }) => String(day)}
    />
  );
}

function dayColumns(currencies: Currencies): readonly Column<Day>[] {
  const { reserves: text } = words;
  const count = (number: number) => number.toLocaleString(language);
  return [
    { key: 'day', head: text.day, cell: ({ day }) => dayText(day, language) },
    {
      key: 'verdict',
      head: words.orders.state,
      phone: 'end',
      cell: (row) => <DayBadge verdict={row.verdict} />,
    },
    {
      key: 'what',
      head: words.reason,
      fill: true,
      phone: 'long',
      cell: ({ currencies: unclean }) => (
        <bdi title={unclean.flatMap(({ trouble }) => trouble ?? []).join('; ') || undefined}>
          {unclean.map(({ currency_id: id }) => currencies.name(id)).join(', ')}
        </bdi>
      ),
    },
    {
      key: 'addresses',
      head: text.addresses,
      end: true,
      phone: 'named',
      cell: (row) => count(row.addresses),
    },
    { key: 'rounds', head: text.rounds, end: true, phone: 'named', cell: ({ rounds }) => count(rounds) },
    {
      key: 'failures',
      head: text.failed,
      end: true,
      phone: 'named',
      cell: ({ failures }) => count(failures),
    },
  ];
}

function DayBadge({ verdict }: Pick<Day, 'verdict'>) {
  const { reserves: text } = words;
  if (verdict === 'clean')
    return (
      <Badge tone="paid" icon="done">
        {text.clean}
      </Badge>
    );
  return (
    <Badge tone={verdict === 'differs' ? 'error' : 'part'} icon="warning">
      {verdict === 'differs' ? text.differed : text.unlooked}
    </Badge>
  );
}
