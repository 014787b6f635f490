// orders.list: one page of the merchant's orders.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { listMerchantOrders, type OrderFilter } from '../../../db/reports/dashboard/orders/order-list.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { appsOf, DEFAULT_ROWS, idSpan, type MerchantCall, nextOf } from '../merchant-scope.ts';
import { readTexts } from '../texts.ts';
import { presentOrder } from './order-rows.ts';

export const handleOrderList: Handler<'orders.list'> = async (call, request) => {
  const filter = await filterOf(call, request);
  if (filter === null) return unknown('app');
  const page = await listMerchantOrders(call.reader, filter);
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const next = nextOf(page.orders, filter.limit, ({ tradeNo }) => tradeNo);
  return answer({
    orders: page.orders.map((order) => presentOrder(order, texts)),
    next_cursor: next ?? page.searchedTo,
    searched_back_to: page.searchedTo === null ? null : timeOf(page.searchedTo),
  });
};

type Filtered = Omit<RequestOf<'orders.list'>, 'cursor' | 'limit'> & {
  readonly cursor?: string;
  readonly limit?: number;
};

/** Null where the app that it names is not the merchant's. */
export async function filterOf(
  call: Pick<MerchantCall, 'reader' | 'merchantId'>,
  request: Filtered,
): Promise<OrderFilter | null> {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return null;
  return {
    appIds: apps.map(({ appId }) => appId),
    status: request.status,
    isTimedOutWithMoney: request.timed_out_with_money,
    currencyId: request.currency_id,
    ...idSpan('ord', request),
    limit: request.limit ?? DEFAULT_ROWS,
  };
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_PART = /^ord_([0-9a-hjkmnp-tv-z]{10})/;

/** When an order of this number was made, Unix seconds; 0 for a number of another form. */
function timeOf(tradeNo: string): number {
  const [, text = ''] = TIME_PART.exec(tradeNo) ?? [];
  let ms = 0;
  for (const character of text) ms = ms * 32 + ALPHABET.indexOf(character);
  return Math.min(9_999_999_999, Math.floor(ms / 1000));
}
