// The orders of a merchant: filters as chips in the address, the newest first.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { useCurrencies } from '../../api/currencies.ts';
import { download } from '../../api/download.ts';
import { useLiveAnswer } from '../../api/live.ts';
import { type Filters, useFilters } from '../../api/use-filters.ts';
import { ExportButton } from '../../parts/data/export-button.tsx';
import { FilterBar, FilterChip, SearchButton } from '../../parts/data/filters.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import { Page } from '../../parts/page.tsx';
import { openPalette } from '../../shell/palette/palette-opener.tsx';
import { words } from '../../words/words.ts';
import { DocsButton } from '../docs-button.tsx';
import { EmptyList } from '../empty-list.tsx';
import { AppChip, CurrencyChip, pickedOf, SearchedBack } from '../list-filters.tsx';
import { MonthChip } from '../month-chip.tsx';
import { useTestApps } from '../test-badge.tsx';
import { orderColumns } from './order-columns.tsx';

export function Orders() {
  const { merchantId = '' } = useParams();
  const { orders: text } = words;
  const filters = useFilters();
  const currencies = useCurrencies();
  const filter = filterOf(merchantId, filters);
  const query = useLiveAnswer('orders.list', { ...filter, ...filters.cursor, limit: 50 }, { keep: true });
  const columns = orderColumns(currencies, useTestApps(merchantId));
  return (
    <Page
      title={text.title}
      actions={<ExportButton save={() => download('orders.export', filter, 'orders.csv')} />}
    >
      <OrderFilters filters={filters} />
      <PagedTable
        query={query}
        rowsOf={({ orders }) => orders}
        skeletonRows={12}
        empty={<NoOrders filters={filters} />}
        label={text.title}
        columns={columns}
        rowKey={(row) => row.trade_no}
        to={(row) => `/m/${merchantId}/orders/${row.trade_no}`}
        pages={filters.pages}
        under={({ searched_back_to: to }) => <SearchedBack to={to} />}
      />
    </Page>
  );
}

type Filter = RequestOf<'orders.export'>;

function filterOf(merchantId: string, filters: Filters): Filter {
  const status = (['TO-BE-PAID', 'PAID', 'TIME-OUT'] as const).find((each) => each === filters.get('state'));
  return {
    merchant_id: merchantId,
    ...(filters.get('state') === 'late' ? { is_late: true } : {}),
    ...(status === undefined ? {} : { status }),
    ...pickedOf(filters),
  };
}

function OrderFilters({ filters }: { readonly filters: Filters }) {
  const { merchantId = '' } = useParams();
  const { orders: text, orderStates: states } = words;
  return (
    <FilterBar search={<SearchButton label={text.search} onClick={openPalette} />}>
      <FilterChip
        label={text.state}
        value={filters.get('state')}
        options={[
          ['TO-BE-PAID', states.open],
          ['PAID', states.paid],
          ['TIME-OUT', states.expired],
          ['late', states.late],
        ]}
        onPick={(state) => filters.set({ state })}
      />
      <CurrencyChip filters={filters} />
      <MonthChip filters={filters} />
      <AppChip merchantId={merchantId} filters={filters} />
    </FilterBar>
  );
}

function NoOrders({ filters }: { readonly filters: Filters }) {
  const { orders: text, apps } = words;
  const first = <DocsButton page="api/create-order">{apps.firstOrder}</DocsButton>;
  return (
    <EmptyList filters={filters} title={text.empty} noneFit={text.noneFit} action={first}>
      {text.emptyUnder}
    </EmptyList>
  );
}
