// orders.list: one page of the merchant's orders.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { listMerchantOrders, type OrderFilter } from '../../../db/reports/dashboard/orders/order-list.ts';
import { secondOfId } from '../../../runtime/ids.ts';
import { type Answer, answer, unknown } from '../call.ts';
import { appsOf, DEFAULT_ROWS, idSpan, type MerchantCall, nextOf } from '../merchant-scope.ts';
import { readTexts } from '../texts.ts';
import { presentOrder } from './order-rows.ts';

/** Also called for live pages, which have no HTTP request, so it needs only these parts of a call. */
export async function handleOrderList(
  call: Pick<MerchantCall, 'reader' | 'deps' | 'merchantId'>,
  request: RequestOf<'orders.list'>,
): Promise<Answer<ResponseOf<'orders.list'>>> {
  const filter = await filterOf(call, request);
  if (filter === null) return unknown('app');
  const page = await listMerchantOrders(call.reader, filter);
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const next = nextOf(page.orders, filter.limit, ({ tradeNo }) => tradeNo);
  return answer({
    orders: page.orders.map((order) => presentOrder(order, texts)),
    next_cursor: next ?? page.searchedTo,
    searched_back_to: page.searchedTo === null ? null : secondOfId(page.searchedTo),
  });
}

type Filtered = Omit<RequestOf<'orders.list'>, 'cursor' | 'limit'> & {
  readonly cursor?: string;
  readonly limit?: number;
};

/** Null where the request names an app that is not the merchant's. */
export async function filterOf(
  call: Pick<MerchantCall, 'reader' | 'merchantId'>,
  request: Filtered,
): Promise<OrderFilter | null> {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return null;
  return {
    appIds: apps.map(({ appId }) => appId),
    status: request.status,
    isLate: request.is_late,
    currencyId: request.currency_id,
    ...idSpan('ord', request),
    limit: request.limit ?? DEFAULT_ROWS,
  };
}
