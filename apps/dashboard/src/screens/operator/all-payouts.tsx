// For operators: the payouts of every merchant, the newest first.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { Empty } from '../../parts/data/empty.tsx';
import { FilterBar, FilterChip } from '../../parts/data/filters.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { amountColumn } from '../amount-column.tsx';
import { payeeColumn, progressColumns } from '../payouts/payout-columns.tsx';

type Row = ResponseOf<'payouts.list-all'>['payouts'][number];

export function AllPayouts() {
  const { allPayouts: text } = words;
  const filters = useFilters();
  const isOpenOnly = filters.get('show') === 'open';
  const query = useAnswer(
    'payouts.list-all',
    { ...(isOpenOnly ? { open_only: true } : {}), ...filters.cursor },
    { keep: true, every: 15_000 },
  );
  const columns = payoutColumns(useCurrencies());
  return (
    <Page title={text.title} under={text.under}>
      <FilterBar>
        <FilterChip
          label={words.orders.state}
          value={filters.get('show')}
          options={[['open', text.open]]}
          onPick={(show) => filters.set({ show })}
        />
      </FilterBar>
      <PagedTable
        query={query}
        rowsOf={({ payouts }) => payouts}
        skeletonRows={10}
        empty={<Empty title={isOpenOnly ? text.noneOpen : text.empty}>{text.emptyUnder}</Empty>}
        label={text.title}
        columns={columns}
        rowKey={(row) => row.trade_no}
        to={({ merchant_id: id, trade_no: no }) => `/m/${id}/payouts/${no}`}
        pages={filters.pages}
      />
    </Page>
  );
}

function payoutColumns(currencies: Currencies): readonly Column<Row>[] {
  const { allPayouts: text } = words;
  return [
    {
      key: 'merchant',
      head: text.merchant,
      cell: ({ merchant_name: name, merchant_id: id }) => <bdi>{name ?? id}</bdi>,
    },
    { ...payeeColumn(), phone: 'minor' },
    amountColumn(currencies),
    {
      key: 'network',
      head: words.orders.network,
      phone: 'out',
      cell: ({ currency_id: id }) => currencies.find(id)?.chain,
    },
    ...progressColumns(),
  ];
}
