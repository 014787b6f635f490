// For operators: the payouts of every merchant, the newest first.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useNavigate } from 'react-router';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { trimZeros } from '../../format/amounts.ts';
import { shorten } from '../../format/groups.ts';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { FilterBar, FilterChip } from '../../parts/data/filters.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { PayoutBadge } from '../payouts/payout-badge.tsx';

type Row = ResponseOf<'payouts.list-all'>['payouts'][number];

export function AllPayouts() {
  const { allPayouts: text } = words;
  const filters = useFilters();
  const navigate = useNavigate();
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
          label={words.currencies.filter}
          value={filters.get('show')}
          options={[['open', text.open]]}
          onPick={(show) => filters.set({ show })}
        />
      </FilterBar>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={10} />}>
        {({ payouts, next_cursor: next }) =>
          payouts.length === 0 && next === null ? (
            <Empty title={isOpenOnly ? text.noneOpen : text.empty}>{text.emptyUnder}</Empty>
          ) : (
            <Table
              label={text.title}
              columns={columns}
              rows={payouts}
              rowKey={(row) => row.trade_no}
              onOpen={({ merchant_id: id, trade_no: no }) => void navigate(`/m/${id}/payouts/${no}`)}
              pages={filters.pages(next)}
            />
          )
        }
      </Answer>
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
    {
      key: 'to',
      head: words.payouts.to,
      fill: true,
      phone: 'minor',
      cell: ({ to_label: label, to_address: address }) => (
        <bdi title={address}>{label ?? shorten(address, 8, 6)}</bdi>
      ),
    },
    {
      key: 'amount',
      head: words.orders.amount,
      end: true,
      cell: ({ amount, currency_id: id }) => (
        <Money amount={trimZeros(amount, 2)} symbol={currencies.symbol(id)} />
      ),
    },
    {
      key: 'network',
      head: words.orders.network,
      phone: 'out',
      cell: ({ currency_id: id }) => currencies.find(id)?.chain,
    },
    {
      key: 'time',
      head: words.orders.time,
      phone: 'minor',
      cell: ({ create_time: at }) => <Time at={at} />,
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ status, needs_approval: needs, approved_until: until }) => (
        <PayoutBadge status={status} needsApproval={needs && until === null} />
      ),
    },
  ];
}
