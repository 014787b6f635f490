// payouts.list: one page of the merchant's payouts.
import { pageOfPayouts } from '../../../db/reports/dashboard/money/payout-list.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { appsOf, BEHIND_ALL, DEFAULT_ROWS, nextOf } from '../merchant-scope.ts';
import { readTexts, seconds } from '../texts.ts';
import { presentPayout } from './payout-rows.ts';

export const handlePayoutList: Handler<'payouts.list'> = async (call, request) => {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return unknown('app');
  const limit = request.limit ?? DEFAULT_ROWS;
  const { payouts, searchedTo } = await pageOfPayouts(call.reader, {
    appIds: apps.map(({ appId }) => appId),
    status: request.status,
    isToApprove: request.to_approve,
    before: request.cursor ?? BEHIND_ALL,
    now: seconds(call.nowMs),
    limit,
  });
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    payouts: payouts.map((payout) => presentPayout(payout, texts)),
    next_cursor: searchedTo ?? nextOf(payouts, limit, ({ tradeNo }) => tradeNo),
  });
};
