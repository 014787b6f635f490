// The lists of the reserves screen: by currency, findings of the audit, addresses that differ, and outflows.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../../api/currencies.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Empty } from '../../../parts/data/empty.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';
import { Address } from '../../address.tsx';
import { bareAmountColumn } from '../../amount-column.tsx';

type Answer = ResponseOf<'reserves.read'>;

export interface ReservesProps {
  readonly answer: Answer;
  readonly currencies: Currencies;
}

export function ReserveList({ answer: { reserves }, currencies }: ReservesProps) {
  const { reserves: text } = words;
  if (reserves.length === 0) return <Empty title={text.nothing}>{text.nothingUnder}</Empty>;
  const columns: readonly Column<Answer['reserves'][number]>[] = [
    { key: 'coin', head: words.orders.coin, name: true, cell: (row) => currencies.name(row.currency_id) },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ is_covered: isCovered }) => (
        <Badge tone={isCovered ? 'paid' : 'error'} icon={isCovered ? 'done' : 'warning'}>
          {isCovered ? text.covered : text.short}
        </Badge>
      ),
    },
    { ...bareAmountColumn('held', text.held, (row) => row.held), phone: 'named' },
    { ...bareAmountColumn('owed', text.owed, (row) => row.owed_to_merchants), phone: 'named' },
    { ...bareAmountColumn('unassigned', text.unassigned, (row) => row.unassigned), phone: 'named' },
    { ...bareAmountColumn('fees', text.ownFees, (row) => row.own_fees), phone: 'named' },
  ];
  return (
    <TableCard
      title={text.byCurrency}
      columns={columns}
      rows={reserves}
      rowKey={({ currency_id: id }) => String(id)}
    />
  );
}

export function Findings({ answer: { audit } }: Pick<ReservesProps, 'answer'>) {
  const { reserves: text } = words;
  const columns: readonly Column<Answer['audit']['findings'][number]>[] = [
    { key: 'finding', head: text.audit, fill: true, cell: ({ finding }) => <bdi>{finding}</bdi> },
    { key: 'found', head: text.found, phone: 'minor', cell: ({ found_at: at }) => <Time at={at} /> },
  ];
  return (
    <TableCard title={text.audit} columns={columns} rows={audit.findings} rowKey={(row) => row.finding} />
  );
}

export function Differences({ answer: { differences }, currencies }: ReservesProps) {
  const { reserves: text } = words;
  const columns: readonly Column<Answer['differences'][number]>[] = [
    {
      key: 'address',
      head: words.wallets.address,
      fill: true,
      cell: ({ address, currency_id: id }) => (
        <Address text={address} label={words.wallets.address} currencies={currencies} currencyId={id} />
      ),
    },
    { key: 'coin', head: words.orders.coin, phone: 'end', cell: (row) => currencies.name(row.currency_id) },
    { ...bareAmountColumn('expected', text.expected, (row) => row.expected), phone: 'named' },
    { ...bareAmountColumn('actual', text.actual, (row) => row.actual), phone: 'named' },
    { key: 'block', head: text.block, end: true, phone: 'out', cell: ({ at_block: block }) => block },
    { key: 'since', head: text.found, phone: 'named', cell: ({ since }) => <Time at={since} /> },
  ];
  return (
    <TableCard
      title={text.differences}
      columns={columns}
      rows={differences}
      rowKey={(row) => `${row.chain} ${row.currency_id} ${row.address}`}
    />
  );
}

export function Outflows({ answer: { outflows }, currencies }: ReservesProps) {
  const { reserves: text } = words;
  const columns: readonly Column<Answer['outflows'][number]>[] = [
    { key: 'coin', head: words.orders.coin, name: true, cell: (row) => currencies.name(row.currency_id) },
    bareAmountColumn('amount', words.orders.amount, (row) => row.amount),
  ];
  return (
    <TableCard
      title={text.unexplained}
      columns={columns}
      rows={outflows}
      rowKey={(row) => `${row.chain} ${row.currency_id}`}
    />
  );
}
