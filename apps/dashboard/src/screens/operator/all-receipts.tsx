// For operators: receipts that no order counts, of every merchant and of the gateway's own wallets.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { Address } from '../address.tsx';
import { amountColumn } from '../amount-column.tsx';

type Row = ResponseOf<'receipts.list-all'>['receipts'][number];

export function AllReceipts() {
  const { allReceipts: text } = words;
  const filters = useFilters();
  const query = useAnswer('receipts.list-all', filters.cursor, { keep: true, every: 15_000 });
  const columns = receiptColumns(useCurrencies());
  return (
    <Page title={text.title} under={text.under}>
      <PagedTable
        query={query}
        rowsOf={({ receipts }) => receipts}
        skeletonRows={8}
        empty={<Empty title={text.empty}>{text.emptyUnder}</Empty>}
        label={text.title}
        columns={columns}
        rowKey={(row) => `${row.chain} ${row.tx_id} ${row.position}`}
        pages={filters.pages}
      />
    </Page>
  );
}

function receiptColumns(currencies: Currencies): readonly Column<Row>[] {
  const { allReceipts: text, timeline } = words;
  return [
    {
      key: 'owner',
      head: text.owner,
      cell: ({ merchant_name: name }) => <bdi>{name ?? text.gateway}</bdi>,
    },
    { ...amountColumn(currencies), phone: 'end' },
    { key: 'chain', head: words.chains.chain, phone: 'out', cell: ({ chain }) => chain },
    {
      key: 'tx',
      head: timeline.transaction,
      name: true,
      phone: 'minor',
      cell: ({ tx_id: tx, currency_id: id }) => (
        <Copyable
          text={tx}
          label={timeline.transaction}
          form="short"
          explorer={currencies.explorer(id, 'tx', tx)}
        />
      ),
    },
    {
      key: 'to',
      head: timeline.to,
      phone: 'out',
      cell: ({ to, currency_id: id }) => (
        <Address text={to} label={timeline.to} currencies={currencies} currencyId={id} />
      ),
    },
    {
      key: 'order',
      head: text.order,
      phone: 'out',
      cell: ({ trade_no: no }) => no !== null && <Copyable text={no} label={text.order} form="short" />,
    },
    { key: 'time', head: words.auditLog.time, phone: 'minor-end', cell: ({ at }) => <Time at={at} /> },
  ];
}
