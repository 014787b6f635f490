// The entries of an audit log, a page at a time.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Cut } from '../../parts/data/cut.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';

type LogPage = ResponseOf<'audit-log.list'>;
type Entry = LogPage['entries'][number];

function entryColumns(): readonly Column<Entry>[] {
  const { auditLog: text } = words;
  return [
    { key: 'time', head: text.time, phone: 'minor-end', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'who',
      head: text.who,
      cell: ({ person_name: name }) => <bdi>{name ?? text.commandLine}</bdi>,
    },
    { key: 'did', head: text.did, cell: ({ operation }) => <code>{operation}</code> },
    {
      key: 'subject',
      head: text.subject,
      fill: true,
      phone: 'long',
      cell: ({ subject, detail }) => (
        <Cut title={detail}>{[subject, detail].filter(Boolean).join(' · ')}</Cut>
      ),
    },
    { key: 'from', head: text.from, phone: 'out', cell: ({ address }) => address },
  ];
}

/** The cursors of the pages before this one, so that "newer" leads back. */
export function useCursors() {
  const [cursors, setCursors] = useState<readonly number[]>([]);
  const cursor = cursors.at(-1);
  return {
    cursor,
    pages: (next: number | null) => ({
      onNewer: cursors.length === 0 ? null : () => setCursors(cursors.slice(0, -1)),
      onOlder: next === null ? null : () => setCursors([...cursors, next]),
    }),
  };
}

interface EntriesProps {
  readonly query: UseQueryResult<LogPage>;
  readonly pages: ReturnType<typeof useCursors>['pages'];
}

export function Entries({ query, pages }: EntriesProps) {
  const columns = entryColumns();
  return (
    <PagedTable
      query={query}
      rowsOf={({ entries }) => entries}
      skeletonRows={10}
      empty={<Empty title={words.auditLog.empty}>{words.auditLog.emptyUnder}</Empty>}
      label={words.auditLog.title}
      columns={columns}
      rowKey={({ sequence }) => String(sequence)}
      pages={pages}
    />
  );
}
