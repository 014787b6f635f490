// The entries of an audit log, a page at a time.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Filters } from '../../api/use-filters.ts';
import { Cut } from '../../parts/data/cut.tsx';
import { FilterBar, FilterChip, SearchField } from '../../parts/data/filters.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { EmptyList } from '../empty-list.tsx';

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

/** The picked filters as fields of a request; a filter that is not set is left out. */
export function wishOf(filters: Filters) {
  const [person, operation] = [filters.get('person'), filters.get('operation')];
  return {
    ...(person === '' ? {} : { person_id: person }),
    ...(operation === '' ? {} : { operation }),
    ...filters.cursor,
  };
}

interface EntriesProps {
  readonly query: UseQueryResult<LogPage>;
  readonly filters: Filters;
}

export function Entries({ query, filters }: EntriesProps) {
  const { auditLog: text } = words;
  return (
    <>
      <FilterBar
        search={
          <SearchField
            label={text.search}
            value={filters.get('operation')}
            onSearch={(operation) => filters.set({ operation: operation.toLowerCase() })}
          />
        }
      >
        <FilterChip
          label={text.who}
          value={filters.get('person')}
          options={peopleOf(query.data?.entries ?? [], filters.get('person'))}
          onPick={(person) => filters.set({ person })}
        />
      </FilterBar>
      <PagedTable
        query={query}
        rowsOf={({ entries }) => entries}
        skeletonRows={10}
        empty={
          <EmptyList filters={filters} title={text.empty} noneFit={text.noneFit}>
            {text.emptyUnder}
          </EmptyList>
        }
        label={text.title}
        columns={entryColumns()}
        rowKey={({ sequence }) => String(sequence)}
        pages={filters.pages}
      />
    </>
  );
}

/** The people of the entries on the page, so that former members can be picked too, and the person who is picked. */
function peopleOf(
  entries: readonly Entry[],
  picked: string,
): readonly (readonly [id: string, name: string])[] {
  const people = new Map(picked === '' ? [] : [[picked, picked]]);
  for (const { person_id: id, person_name: name } of entries) if (id !== null) people.set(id, name ?? id);
  return [...people];
}
