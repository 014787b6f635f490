// payouts.list: one page of the merchant's payouts.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { pageOfPayouts } from '../../../db/reports/dashboard/money/payout-list.ts';
import { secondOfId } from '../../../runtime/ids.ts';
import { type Answer, answer, unknown } from '../call.ts';
import { appsOf, DEFAULT_ROWS, idSpan, type MerchantCall, nextOf } from '../merchant-scope.ts';
import { readTexts, seconds } from '../texts.ts';
import { presentPayout } from './payout-rows.ts';

/** Also called for live pages, which have no HTTP request, so it needs only these parts of a call. */
export async function handlePayoutList(
  call: Pick<MerchantCall, 'reader' | 'deps' | 'nowMs' | 'merchantId'>,
  request: RequestOf<'payouts.list'>,
): Promise<Answer<ResponseOf<'payouts.list'>>> {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return unknown('app');
  const limit = request.limit ?? DEFAULT_ROWS;
  const { payouts, searchedTo } = await pageOfPayouts(call.reader, {
    appIds: apps.map(({ appId }) => appId),
    status: request.status,
    isToApprove: request.to_approve,
    currencyId: request.currency_id,
    ...idSpan('pay', request),
    now: seconds(call.nowMs),
    limit,
  });
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    payouts: payouts.map((payout) => presentPayout(payout, texts)),
    next_cursor: searchedTo ?? nextOf(payouts, limit, ({ tradeNo }) => tradeNo),
    searched_back_to: searchedTo === null ? null : secondOfId(searchedTo),
  });
}
