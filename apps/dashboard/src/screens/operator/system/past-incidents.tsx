// Past incidents: when each was seen first, and when last.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAnswer } from '../../../api/queries.ts';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';

type Past = ResponseOf<'incidents.list-past'>['incidents'][number];

/** Renders nothing until an incident has ended. */
export function PastIncidents() {
  const { incidents: text } = words;
  const past = useAnswer('incidents.list-past', {}, { every: 60_000 });
  return (
    <Answer query={past} skeleton={<Bone width="100%" height={120} />}>
      {({ incidents }) => (
        <TableCard
          title={text.past}
          columns={pastColumns()}
          rows={incidents}
          rowKey={({ kind, subject, last_seen: at }) => `${kind} ${subject} ${at}`}
        />
      )}
    </Answer>
  );
}

function pastColumns(): readonly Column<Past>[] {
  const { incidents: text } = words;
  const kinds: Readonly<Record<string, string>> = text.kinds;
  return [
    { key: 'what', head: text.what, cell: ({ kind }) => kinds[kind] ?? kind },
    {
      key: 'about',
      head: text.about,
      fill: true,
      phone: 'long',
      cell: ({ subject, detail }) => <bdi>{[subject, detail].filter(Boolean).join(' · ')}</bdi>,
    },
    { key: 'first', head: text.firstSeen, phone: 'named', cell: ({ first_seen: at }) => <Time at={at} /> },
    { key: 'last', head: text.lastSeen, phone: 'named', cell: ({ last_seen: at }) => <Time at={at} /> },
  ];
}
