// payouts.made: which requests made a payout already. A file of payouts that was left half-way goes on from there.
import { listPayoutsByKeys } from '../../../db/tables/payouts/payouts.ts';
import { findOwnApp } from '../apps/own-app.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { keyOfRequest } from './payout-key.ts';

export const handlePayoutsMade: Handler<'payouts.made'> = async (call, request) => {
  const { app_id: appId, request_ids: requestIds } = request;
  if ((await findOwnApp(call, appId)) === null) return unknown('app');
  const payouts = await listPayoutsByKeys(call.reader, appId, requestIds.map(keyOfRequest));
  const byKey = new Map(payouts.map((payout) => [payout.idempotencyKey, payout]));
  const made = requestIds.flatMap((requestId) => {
    const payout = byKey.get(keyOfRequest(requestId));
    return payout === undefined
      ? []
      : [{ request_id: requestId, trade_no: payout.tradeNo, status: payout.status }];
  });
  return answer({ made });
};
