// orders.export: the orders of a filter as CSV, page by page while it is sent, however many they are.
import { isPositive } from '@ducat/core/money/amount';
import { type OrderCredit, readOrderCredits } from '../../../db/reports/dashboard/orders/order-credits.ts';
import {
  listMerchantOrders,
  type OrderFilter,
  type OrderListRow,
} from '../../../db/reports/dashboard/orders/order-list.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { answer, type Handler, unknown } from '../call.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { readTexts, type Texts, usdText } from '../texts.ts';
import { csvLine } from './csv-line.ts';
import { filterOf } from './list-orders.ts';

const ROWS_AT_ONCE = 1_000;

const HEADER = [
  'trade_no',
  'out_trade_no',
  'app_id',
  'status',
  'currency_id',
  'amount',
  'collected',
  'fiat_name',
  'fiat_amount',
  'create_time',
  'time_expire',
  'fee',
  'credited',
  'value_usd',
  'unpriced',
];

export const handleExport: Handler<'orders.export'> = async (call, request) => {
  const filter = await filterOf(call, request);
  // Without apps there is nothing to export. Then nothing is recorded either, because a stranger can sign up as such a
  // merchant.
  if (filter === null || filter.appIds.length === 0) return unknown('app');
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  await call.deps.transact((tx) => call.record(tx, { subject: 'orders', detail: JSON.stringify(request) }));
  call.sendFile({
    name: 'orders.csv',
    type: 'text/csv; charset=utf-8',
    parts: (left) => csvOf(call, filter, texts, left),
  });
  return answer({});
};

/**
 * A page is read from the database once the browser has taken the page before, so memory holds one page. With a rare filter
 * most pages are empty and send nothing, so `left` is checked before each page.
 */
export async function* csvOf(
  { reader, deps }: Pick<MerchantCall, 'reader'> & { readonly deps: Pick<MerchantCall['deps'], 'reader'> },
  filter: OrderFilter,
  texts: ShownTexts,
  left: AbortSignal,
): AsyncIterable<string> {
  yield csvLine(HEADER);
  let { before } = filter;
  while (!left.aborted) {
    const page = await listMerchantOrders(reader, { ...filter, before, limit: ROWS_AT_ONCE });
    if (page.orders.length > 0) yield linesOf(page.orders, await creditsOf(deps.reader, page.orders), texts);
    const last = page.orders.at(-1);
    const next = page.searchedTo ?? (page.orders.length < ROWS_AT_ONCE ? null : (last?.tradeNo ?? null));
    if (next === null) return;
    before = next;
  }
}

/** The reader must not be walled, because row-level security hides the fee. The orders were read by a walled reader. */
function creditsOf(
  reader: Reader,
  orders: readonly OrderListRow[],
): Promise<ReadonlyMap<string, OrderCredit>> {
  const paid = orders.filter(({ collected }) => isPositive(collected));
  return readOrderCredits(
    reader,
    paid.map(({ tradeNo }) => tradeNo),
  );
}

type ShownTexts = Pick<Texts, 'money' | 'amount'>;

function linesOf(
  orders: readonly OrderListRow[],
  credits: ReadonlyMap<string, OrderCredit>,
  texts: ShownTexts,
): string {
  return orders
    .map((order) => csvLine([...fieldsOf(order, texts), ...creditFields(credits.get(order.tradeNo), texts)]))
    .join('');
}

/** Empty fields where no money counted for the order. */
function creditFields(credit: OrderCredit | undefined, { amount }: ShownTexts): readonly string[] {
  if (credit === undefined) return ['', '', '', ''];
  const { fee, credited, value, unpriced } = credit;
  return [amount(fee), amount(credited), usdText(value), String(unpriced)];
}

function fieldsOf(order: OrderListRow, texts: ShownTexts): readonly string[] {
  const { currency_id: currencyId, amount } = texts.money(order.due);
  return [
    order.tradeNo,
    order.outTradeNo,
    order.appId,
    order.status,
    String(currencyId),
    amount,
    texts.amount(order.collected),
    order.fiatName ?? '',
    order.fiatAmount ?? '',
    timeText(order.createTime),
    timeText(order.timeExpire),
  ];
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
