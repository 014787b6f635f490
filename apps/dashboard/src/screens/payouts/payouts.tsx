// The payouts of a merchant, the newest first.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link, useParams } from 'react-router';
import { Plus } from 'lucide-react';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useLiveAnswer } from '../../api/live.ts';
import { useMay } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { buttonClass } from '../../parts/button.tsx';
import { FilterBar, FilterChip } from '../../parts/data/filters.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { EmptyList } from '../empty-list.tsx';
import { amountColumn } from '../amount-column.tsx';
import { AppChip, CurrencyChip, pickedOf, SearchedBack } from '../list-filters.tsx';
import { MonthChip } from '../month-chip.tsx';
import { payeeColumn, progressColumns } from './payout-columns.tsx';

type Row = ResponseOf<'payouts.list'>['payouts'][number];
const statuses = ['PROGRESS', 'CONFIRMING-PROGRESS', 'PAID', 'FAIL', 'CANCEL'] as const;

export function Payouts() {
  const { merchantId = '' } = useParams();
  const { payouts: text, payoutStates: states } = words;
  const filters = useFilters();
  const may = useMay(merchantId);
  const picked = filters.get('state');
  const status = statuses.find((each) => each === picked);
  const request = {
    merchant_id: merchantId,
    ...(picked === 'to-approve' ? { to_approve: true } : {}),
    ...(status === undefined ? {} : { status }),
    ...pickedOf(filters),
    ...filters.cursor,
  };
  const query = useLiveAnswer('payouts.list', request, { keep: true });
  const columns = payoutColumns(useCurrencies());
  return (
    <Page title={text.title} actions={may('pay-out') && <Actions merchantId={merchantId} />}>
      <FilterBar>
        <FilterChip
          label={words.orders.state}
          value={picked}
          options={[
            ['to-approve', states.toApprove],
            ...statuses.map((each) => [each, states[each]] as const),
          ]}
          onPick={(state) => filters.set({ state })}
        />
        <CurrencyChip filters={filters} />
        <MonthChip filters={filters} />
        <AppChip merchantId={merchantId} filters={filters} />
      </FilterBar>
      <PagedTable
        query={query}
        rowsOf={({ payouts }) => payouts}
        skeletonRows={8}
        empty={
          <EmptyList filters={filters} title={text.empty} noneFit={text.noneFit}>
            {text.emptyUnder}
          </EmptyList>
        }
        label={text.title}
        columns={columns}
        rowKey={(row) => row.trade_no}
        to={(row) => `/m/${merchantId}/payouts/${row.trade_no}`}
        pages={filters.pages}
        under={({ searched_back_to: to }) => <SearchedBack to={to} />}
      />
    </Page>
  );
}

function Actions({ merchantId }: { readonly merchantId: string }) {
  return (
    <>
      <Link to={`/m/${merchantId}/payouts/batch`} className={buttonClass('plain')}>
        {words.batch.open}
      </Link>
      <Link to={`/m/${merchantId}/payouts/new`} className={buttonClass('primary')}>
        <Plus size={16} aria-hidden />
        {words.payouts.create}
      </Link>
    </>
  );
}

function payoutColumns(currencies: Currencies): readonly Column<Row>[] {
  const { payouts: text } = words;
  return [
    payeeColumn(),
    amountColumn(currencies),
    {
      key: 'by',
      head: text.askedBy,
      phone: 'out',
      cell: ({ asked_by: by }) => <bdi>{by?.name ?? text.byApi}</bdi>,
    },
    ...progressColumns(),
  ];
}
