// What waited for an operator before, and until when.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAnswer } from '../../../api/queries.ts';
import type { Column } from '../../../parts/data/table.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';

type Past = ResponseOf<'incidents.list-past'>['incidents'][number];

/** Nothing before the first that is over. */
export function PastIncidents() {
  const past = useAnswer('incidents.list-past', {}, { every: 60_000 }).data?.incidents ?? [];
  return (
    <TableCard
      title={words.incidents.past}
      columns={pastColumns()}
      rows={past}
      rowKey={({ kind, subject, ended_at: at }) => `${kind} ${subject} ${at}`}
    />
  );
}

function pastColumns(): readonly Column<Past>[] {
  const { incidents: text } = words;
  return [
    { key: 'what', head: text.what, cell: ({ kind }) => text.kinds[kind] },
    {
      key: 'detail',
      head: text.about,
      fill: true,
      phone: 'long',
      cell: ({ subject, detail }) => <bdi>{[subject, detail].filter(Boolean).join(' · ')}</bdi>,
    },
    { key: 'began', head: text.began, phone: 'named', cell: ({ began_at: at }) => <Time at={at} /> },
    { key: 'ended', head: text.ended, phone: 'named', cell: ({ ended_at: at }) => <Time at={at} /> },
  ];
}
