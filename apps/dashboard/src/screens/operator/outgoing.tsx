// For operators: the open outgoing transactions of our addresses, and those that a person has to end.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link } from 'react-router';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { type Filters, useFilters } from '../../api/use-filters.ts';
import { shorten } from '../../format/groups.ts';
import { Badge, type BadgeTone } from '../../parts/badge.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { FilterBar, FilterChip } from '../../parts/data/filters.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page, Stack } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { EmptyList } from '../empty-list.tsx';
import { amountColumn } from '../amount-column.tsx';

type Row = ResponseOf<'outgoing.list-open'>['transactions'][number];

export function Outgoing() {
  const { outgoing: text } = words;
  const filters = useFilters();
  const query = useAnswer('outgoing.list-open', wishOf(filters), { every: 5_000, keep: true });
  const columns = outgoingColumns(useCurrencies());
  return (
    <Page title={text.title} under={text.under}>
      <OutgoingFilters filters={filters} rows={query.data?.transactions ?? []} />
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={6} />}>
        {({ transactions, is_cut_short: isCut }) =>
          transactions.length === 0 ? (
            <EmptyList filters={filters} title={text.empty} noneFit={text.noneFit}>
              {text.emptyUnder}
            </EmptyList>
          ) : (
            <Stack>
              {transactions.some(({ state }) => state === 'mismatched') && (
                <Notice tone="error">
                  <strong>{text.byPerson}.</strong> {text.byPersonUnder}
                </Notice>
              )}
              <Table
                label={text.title}
                columns={columns}
                rows={transactions}
                rowKey={(row) => `${row.subject_kind} ${row.subject_id}`}
              />
              {isCut && <p>{text.cut}</p>}
            </Stack>
          )
        }
      </Answer>
    </Page>
  );
}

const states = ['waiting', 'prepared', 'signed', 'mismatched'] as const;

/** The picked filters as fields of a request; a filter that is not set is left out. */
function wishOf(filters: Filters): RequestOf<'outgoing.list-open'> {
  const [chain, merchant] = [filters.get('chain'), filters.get('merchant')];
  const state = states.find((each) => each === filters.get('state'));
  return {
    ...(state === undefined ? {} : { state }),
    ...(chain === '' ? {} : { chain }),
    ...(merchant === '' ? {} : { subject_merchant_id: merchant }),
  };
}

function OutgoingFilters({ filters, rows }: { readonly filters: Filters; readonly rows: readonly Row[] }) {
  const { outgoing: text, timeline } = words;
  const currencies = useCurrencies();
  const merchants = useAnswer('merchants.list', {}).data?.merchants ?? [];
  const chains = [...new Set(currencies.list.map(({ chain }) => chain))];
  return (
    <FilterBar>
      <FilterChip
        label={words.orders.state}
        value={filters.get('state')}
        options={states.map((each) => [
          each,
          each === 'mismatched' ? text.byPerson : timeline.sendingStates[each],
        ])}
        onPick={(state) => filters.set({ state })}
      />
      <FilterChip
        label={words.chains.chain}
        value={filters.get('chain')}
        options={chains.map((chain) => [chain, chain])}
        onPick={(chain) => filters.set({ chain })}
      />
      <FilterChip
        label={words.allPayouts.merchant}
        value={filters.get('merchant')}
        options={[...namesOf(rows, merchants)]}
        onPick={(merchant) => filters.set({ merchant })}
      />
    </FilterBar>
  );
}

/** The merchants of the first page of their list, and each merchant of a row that is shown. */
function namesOf(
  rows: readonly Row[],
  merchants: ResponseOf<'merchants.list'>['merchants'],
): ReadonlyMap<string, string> {
  const names = new Map(merchants.map(({ merchant_id: id, name }) => [id, name]));
  for (const { merchant_id: id, merchant_name: name } of rows) if (id !== null) names.set(id, name ?? id);
  return names;
}

/** A payout links to its page. */
function What({ row }: { readonly row: Row }) {
  const { outgoing: text } = words;
  const { subject_kind: kind, action, subject_id: id, merchant_id: merchant } = row;
  const name = <span title={id}>{action === 'transfer' ? text.kinds[kind] : text.actions[action]}</span>;
  if (kind !== 'payout' || merchant === null) return name;
  return <Link to={`/m/${merchant}/payouts/${id}`}>{name}</Link>;
}

function outgoingColumns(currencies: Currencies): readonly Column<Row>[] {
  const { outgoing: text } = words;
  return [
    {
      key: 'what',
      head: text.what,
      cell: (row) => <What row={row} />,
    },
    {
      key: 'owner',
      head: words.allPayouts.merchant,
      name: true,
      phone: 'minor',
      cell: ({ merchant_name: name, app_name: app }) =>
        name === null ? words.allReceipts.gateway : <bdi>{`${name} · ${app}`}</bdi>,
    },
    { key: 'chain', head: words.chains.chain, phone: 'minor', cell: ({ chain }) => chain },
    {
      key: 'to',
      head: words.payouts.to,
      phone: 'out',
      cell: ({ to }) => <bdi title={to}>{shorten(to, 8, 6)}</bdi>,
    },
    amountColumn(currencies),
    {
      key: 'trouble',
      head: text.trouble,
      fill: true,
      phone: 'named',
      cell: ({ trouble }) => <bdi title={trouble ?? undefined}>{trouble ?? text.fine}</bdi>,
    },
    {
      key: 'time',
      head: words.orders.time,
      phone: 'out',
      cell: ({ created_at: at }) => <Time at={at} form="relative" />,
    },
    { key: 'state', head: words.orders.state, phone: 'end', cell: (row) => <OutgoingBadge row={row} /> },
  ];
}

const tones: Readonly<Record<Row['state'], BadgeTone>> = {
  waiting: 'calm',
  prepared: 'seen',
  signed: 'seen',
  succeeded: 'paid',
  failed: 'error',
  mismatched: 'error',
  cancelled: 'calm',
};

function OutgoingBadge({ row: { state, trouble } }: { readonly row: Row }) {
  const isStuck = trouble !== null && state !== 'mismatched';
  const { outgoing: text, timeline } = words;
  if (state === 'mismatched')
    return (
      <Badge tone="error" icon="warning">
        {text.byPerson}
      </Badge>
    );
  return (
    <Badge tone={isStuck ? 'part' : tones[state]} icon={isStuck ? 'warning' : 'going'}>
      {timeline.sendingStates[state]}
    </Badge>
  );
}
