// The orders of a merchant: filters as chips in the address, the newest first.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { useNavigate, useParams } from 'react-router';
import { useCurrencies } from '../../api/currencies.ts';
import { download } from '../../api/download.ts';
import { useAnswer } from '../../api/queries.ts';
import { type Filters, useFilters } from '../../api/use-filters.ts';
import { Button } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { ExportButton } from '../../parts/data/export-button.tsx';
import { FilterBar, FilterChip, SearchButton } from '../../parts/data/filters.tsx';
import { Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { openPalette } from '../../shell/palette-opener.tsx';
import { words } from '../../words/words.ts';
import { MonthChip, spanOfMonth } from '../month-chip.tsx';
import { orderColumns } from './order-columns.tsx';
import styles from './orders.module.css';

export function Orders() {
  const { merchantId = '' } = useParams();
  const { orders: text } = words;
  const filters = useFilters();
  const navigate = useNavigate();
  const currencies = useCurrencies();
  const filter = filterOf(merchantId, filters);
  const query = useAnswer(
    'orders.list',
    { ...filter, ...filters.cursor, limit: 50 },
    { keep: true, every: 15_000 },
  );
  const columns = orderColumns(currencies);
  return (
    <Page
      title={text.title}
      actions={<ExportButton save={() => download('orders.export', filter, 'orders.csv')} />}
    >
      <OrderFilters filters={filters} />
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={12} />}>
        {({ orders, next_cursor: next, searched_back_to: back }) => (
          <>
            {orders.length === 0 && next === null ? (
              <NoOrders isFiltered={filters.isFiltered} onClear={filters.clear} />
            ) : (
              <Table
                label={text.title}
                columns={columns}
                rows={orders}
                rowKey={(row) => row.trade_no}
                onOpen={(row) => void navigate(`/m/${merchantId}/orders/${row.trade_no}`)}
                pages={filters.pages(next)}
              />
            )}
            {back !== null && (
              <p className={styles['note']}>
                {text.searchedTo} <Time at={back} />
              </p>
            )}
          </>
        )}
      </Answer>
    </Page>
  );
}

type Filter = RequestOf<'orders.export'>;

function filterOf(merchantId: string, filters: Filters): Filter {
  const status = (['TO-BE-PAID', 'PAID', 'TIME-OUT'] as const).find((each) => each === filters.get('state'));
  const currency = Number(filters.get('currency'));
  const app = filters.get('app');
  return {
    merchant_id: merchantId,
    ...(filters.get('state') === 'late' ? { timed_out_with_money: true } : {}),
    ...(status === undefined ? {} : { status }),
    ...(currency > 0 ? { currency_id: currency } : {}),
    ...(app === '' ? {} : { app_id: app }),
    ...spanOfMonth(filters),
  };
}

function OrderFilters({ filters }: { readonly filters: Filters }) {
  const { merchantId = '' } = useParams();
  const { orders: text, orderStates: states } = words;
  const currencies = useCurrencies();
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  return (
    <FilterBar>
      <SearchButton label={text.search} onClick={openPalette} />
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
      <FilterChip
        label={text.coin}
        value={filters.get('currency')}
        options={currencies.list.map((each) => [String(each.currency_id), currencies.name(each.currency_id)])}
        onPick={(currency) => filters.set({ currency })}
      />
      <MonthChip filters={filters} />
      {apps.length > 1 && (
        <FilterChip
          label={text.app}
          value={filters.get('app')}
          options={apps.map((each) => [each.app_id, each.name])}
          onPick={(app) => filters.set({ app })}
        />
      )}
    </FilterBar>
  );
}

function NoOrders({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const { orders: text } = words;
  if (!isFiltered) return <Empty title={text.empty}>{text.emptyUnder}</Empty>;
  return (
    <Empty title={text.noneFit} action={<Button onClick={onClear}>{text.clear}</Button>}>
      {text.noneFitUnder}
    </Empty>
  );
}
