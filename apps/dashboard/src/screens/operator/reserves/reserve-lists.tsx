// The lists of the reserves screen: by currency, findings of the audit, addresses that differ, and outflows.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../../api/currencies.ts';
import { trimZeros } from '../../../format/amounts.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Copyable } from '../../../parts/copyable.tsx';
import { Empty } from '../../../parts/data/empty.tsx';
import { type Column, Table } from '../../../parts/data/table.tsx';
import { Money } from '../../../parts/money.tsx';
import { Card } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';

type Answer = ResponseOf<'reserves.read'>;

export interface ReservesProps {
  readonly answer: Answer;
  readonly currencies: Currencies;
}

function amountColumn<Row>(key: string, head: string, of: (row: Row) => string, isMinor = true): Column<Row> {
  return {
    key,
    head,
    end: true,
    ...(isMinor ? { phone: 'minor' as const } : {}),
    cell: (row) => <Money amount={trimZeros(of(row), 2)} />,
  };
}

export function ReserveList({ answer: { reserves }, currencies }: ReservesProps) {
  const { reserves: text } = words;
  if (reserves.length === 0) return <Empty title={text.nothing}>{text.nothingUnder}</Empty>;
  const columns: readonly Column<Answer['reserves'][number]>[] = [
    { key: 'coin', head: words.orders.coin, fill: true, cell: (row) => currencies.name(row.currency_id) },
    amountColumn('held', text.held, (row) => row.held, false),
    amountColumn('owed', text.owed, (row) => row.owed_to_merchants),
    amountColumn('unassigned', text.unassigned, (row) => row.unassigned),
    amountColumn('fees', text.ownFees, (row) => row.own_fees),
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
  ];
  return (
    <Card title={text.byCurrency} bare>
      <Table
        bare
        label={text.byCurrency}
        columns={columns}
        rows={reserves}
        rowKey={({ currency_id: id }) => String(id)}
      />
    </Card>
  );
}

export function Findings({ answer: { audit } }: Pick<ReservesProps, 'answer'>) {
  const { reserves: text } = words;
  if (audit.findings.length === 0) return null;
  const columns: readonly Column<Answer['audit']['findings'][number]>[] = [
    { key: 'finding', head: text.audit, fill: true, cell: ({ finding }) => <bdi>{finding}</bdi> },
    { key: 'found', head: text.found, phone: 'minor', cell: ({ found_at: at }) => <Time at={at} /> },
  ];
  return (
    <Card title={text.audit} bare>
      <Table bare label={text.audit} columns={columns} rows={audit.findings} rowKey={(row) => row.finding} />
    </Card>
  );
}

export function Differences({ answer: { differences }, currencies }: ReservesProps) {
  const { reserves: text } = words;
  if (differences.length === 0) return null;
  const columns: readonly Column<Answer['differences'][number]>[] = [
    {
      key: 'address',
      head: words.wallets.address,
      fill: true,
      cell: ({ address }) => <Copyable text={address} label={words.wallets.address} form="short" />,
    },
    { key: 'coin', head: words.orders.coin, cell: (row) => currencies.name(row.currency_id) },
    amountColumn('expected', text.expected, (row) => row.expected),
    amountColumn('actual', text.actual, (row) => row.actual),
    { key: 'block', head: text.block, end: true, phone: 'out', cell: ({ at_block: block }) => block },
    { key: 'since', head: text.found, phone: 'minor', cell: ({ since }) => <Time at={since} /> },
  ];
  return (
    <Card title={text.differences} bare>
      <Table
        bare
        label={text.differences}
        columns={columns}
        rows={differences}
        rowKey={(row) => `${row.chain} ${row.currency_id} ${row.address}`}
      />
    </Card>
  );
}

export function Outflows({ answer: { outflows }, currencies }: ReservesProps) {
  const { reserves: text } = words;
  if (outflows.length === 0) return null;
  const columns: readonly Column<Answer['outflows'][number]>[] = [
    { key: 'coin', head: words.orders.coin, fill: true, cell: (row) => currencies.name(row.currency_id) },
    amountColumn('amount', words.orders.amount, (row) => row.amount, false),
  ];
  return (
    <Card title={text.unexplained} bare>
      <Table
        bare
        label={text.unexplained}
        columns={columns}
        rows={outflows}
        rowKey={(row) => `${row.chain} ${row.currency_id}`}
      />
    </Card>
  );
}
