// Money that counts for no order: assigned to one, or sent back, by a person.
import { useParams } from 'react-router';
import { useState } from 'react';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { shorten } from '../../format/groups.ts';
import { Empty } from '../../parts/data/empty.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { amountColumn } from '../amount-column.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';
import type { ReceiptRow } from './receipt-row.ts';

export function Receipts() {
  const { merchantId = '' } = useParams();
  const { receipts: text } = words;
  const filters = useFilters();
  const may = useMay(merchantId)('pay-out');
  const [opened, setOpened] = useState<ReceiptRow | null>(null);
  const query = useAnswer(
    'receipts.list',
    { merchant_id: merchantId, ...filters.cursor },
    { keep: true, every: 15_000 },
  );
  const columns = receiptColumns(useCurrencies());
  return (
    <Page title={text.title} under={text.under}>
      <PagedTable
        query={query}
        rowsOf={({ receipts }) => receipts}
        skeletonRows={4}
        empty={<Empty title={text.empty}>{text.emptyUnder}</Empty>}
        label={text.title}
        columns={columns}
        rowKey={({ chain, tx_id: txId, position }) => `${chain} ${txId} ${position}`}
        {...(may ? { onOpen: setOpened } : {})}
        pages={filters.pages}
      />
      {opened !== null && <ReceiptDialog receipt={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function receiptColumns(currencies: Currencies): readonly Column<ReceiptRow>[] {
  const { receipts: text } = words;
  return [
    {
      key: 'from',
      head: text.from,
      name: true,
      cell: ({ from }) => <bdi title={from}>{from === '' ? text.noSender : shorten(from, 8, 6)}</bdi>,
    },
    { ...amountColumn(currencies), phone: 'end' },
    {
      key: 'network',
      head: words.orders.network,
      phone: 'minor',
      cell: ({ currency_id: id }) => currencies.name(id),
    },
    { key: 'at', head: text.came, phone: 'minor-end', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'order',
      head: text.addressOf,
      phone: 'out',
      cell: ({ trade_no: order }) => (order === null ? words.none : <code>{shorten(order)}</code>),
    },
  ];
}
