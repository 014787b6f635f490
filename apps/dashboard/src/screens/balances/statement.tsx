// The statement of an app in one currency: opening, every posting and closing, for one month or for all time.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { download } from '../../api/download.ts';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { inCents, isZero } from '../../format/amounts.ts';
import { ExplorerLink } from '../../parts/copyable.tsx';
import { Cut } from '../../parts/data/cut.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { ExportButton } from '../../parts/data/export-button.tsx';
import { FilterBar } from '../../parts/data/filters.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Money } from '../../parts/money.tsx';
import { BackLink, Card, Columns, Page, Stack } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { fill, words } from '../../words/words.ts';
import { oneCoinColumn } from '../amount-column.tsx';
import { MonthChip, spanOfMonth } from '../month-chip.tsx';
import { ReceiptSum } from './receipt-sum.tsx';
import { ReceivedByTime, StatementSum } from './statement-sum.tsx';
import { Stuck } from './stuck.tsx';

type Statement = ResponseOf<'balances.statement'>;
type Posting = Statement['postings'][number];

export function Statement() {
  const { merchantId = '', appId = '', currencyId = '' } = useParams();
  const { statement: text } = words;
  const filters = useFilters();
  const currencies = useCurrencies();
  const balance = { merchant_id: merchantId, app_id: appId, currency_id: Number(currencyId) };
  const which = { ...balance, ...spanOfMonth(filters) };
  const query = useAnswer('balances.statement', { ...which, ...filters.cursor, limit: 50 }, { keep: true });
  const columns = postingColumns(merchantId, currencies, balance.currency_id);
  const [name, symbol] = [currencies.name(which.currency_id), currencies.symbol(which.currency_id)];
  const file = `statement-${appId}-${currencyId}-${filters.get('month') || 'all'}.csv`;
  return (
    <Page
      title={fill(text.title, { currency: name })}
      under={text.under}
      back={<BackLink to={`/m/${merchantId}/balances`}>{words.balances.title}</BackLink>}
      actions={<ExportButton save={() => download('balances.export-statement', which, file)} />}
    >
      <FilterBar>
        <MonthChip filters={filters} />
      </FilterBar>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={12} />}>
        {({ totals, postings, next_cursor: next }) => (
          <Stack>
            {totals.length > 0 && (
              <>
                <Columns>
                  <StatementSum which={which} symbol={symbol} />
                  <ReceiptSum which={which} />
                </Columns>
                <ReceivedByTime which={which} symbol={symbol} />
                <Totals totals={totals} />
                <Stuck which={balance} />
              </>
            )}
            {postings.length === 0 ? (
              <Empty title={text.empty}>{text.emptyUnder}</Empty>
            ) : (
              <Table
                label={text.postings}
                columns={columns}
                rows={postings}
                rowKey={(row) => `${row.entry_id} ${row.account}`}
                pages={filters.pages(next)}
              />
            )}
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

function Totals({ totals }: Pick<Statement, 'totals'>) {
  const { statement: text } = words;
  return (
    <Card title={text.sums} bare>
      <Table
        label={text.sums}
        columns={totalColumns()}
        rows={totals}
        rowKey={({ account }) => account}
        bare
      />
    </Card>
  );
}

function totalColumns(): readonly Column<Statement['totals'][number]>[] {
  const { statement: text } = words;
  return [
    { key: 'account', head: text.account, name: true, cell: ({ account }) => text.accounts[account] },
    { ...oneCoinColumn('opening', text.opening, ({ opening }) => opening), phone: 'named' },
    { ...oneCoinColumn('came', text.came, ({ came }) => came), phone: 'named' },
    { ...oneCoinColumn('went', text.went, ({ went }) => went), phone: 'named' },
    { ...oneCoinColumn('closing', text.closing, ({ closing }) => closing), phone: 'named' },
  ];
}

function postingColumns(
  merchantId: string,
  currencies: Currencies,
  currencyId: number,
): readonly Column<Posting>[] {
  const { statement: text } = words;
  const facts: Readonly<Record<string, string>> = text.facts;
  return [
    { key: 'at', head: text.time, phone: 'minor', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'fact',
      head: text.what,
      cell: ({ fact, receipt }) => (
        <>
          {facts[fact] ?? fact}{' '}
          {receipt !== null && (
            <ExplorerLink
              to={currencies.explorer(currencyId, 'tx', receipt.tx_id)}
              label={words.timeline.transaction}
            />
          )}
        </>
      ),
    },
    {
      key: 'account',
      head: text.account,
      phone: 'minor',
      cell: ({ account }) => text.accounts[account],
    },
    {
      key: 'reference',
      head: text.reference,
      fill: true,
      phone: 'out',
      cell: (row) => <Reference merchantId={merchantId} {...row} />,
    },
    { ...oneCoinColumn('amount', words.orders.amount, ({ amount }) => amount), phone: 'end' },
    { ...oneCoinColumn('fee', text.fee, ({ sides }) => costOf(sides?.fee)), phone: 'named' },
    {
      ...oneCoinColumn('network', text.networkFee, ({ sides }) => costOf(sides?.network_charge)),
      phone: 'named',
    },
    { key: 'value', head: text.value, end: true, phone: 'named', cell: ({ receipt }) => valueOf(receipt) },
  ];
}

interface ReferenceProps extends Pick<Posting, 'reference' | 'receipt'> {
  readonly merchantId: string;
}

/**
 * Links a payout to its page, and a receipt to the page of its order where it has one. A receipt is named by its
 * transaction.
 */
function Reference({ merchantId, reference, receipt }: ReferenceProps) {
  const text = <Cut title={reference}>{reference}</Cut>;
  const order = receipt?.trade_no ?? null;
  if (order !== null) return <Link to={`/m/${merchantId}/orders/${order}`}>{text}</Link>;
  if (reference.startsWith('pay_')) return <Link to={`/m/${merchantId}/payouts/${reference}`}>{text}</Link>;
  return text;
}

/** Null where the line bears no such cost. */
function costOf(amount: string | undefined): string | null {
  return amount === undefined || isZero(amount) ? null : amount;
}

/** Nothing for a line without a receipt. A receipt without a price gets words for that, never a zero. */
function valueOf(receipt: Posting['receipt']): ReactNode {
  if (receipt === null) return null;
  const { value_usd: value } = receipt;
  return value === null ? words.statement.noPrice : <Money amount={inCents(value)} symbol="USD" />;
}
