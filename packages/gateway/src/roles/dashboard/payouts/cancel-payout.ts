// payouts.cancel: cancels a payout before its transfer was asked for.
import { cancelPayout } from '../../../flows/payouts/cancel-payout.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { readTexts } from '../texts.ts';
import { findOwnPayout, presentPayout } from './payout-rows.ts';

export const handlePayoutCancel: Handler<'payouts.cancel'> = async (call, { trade_no: tradeNo, reason }) => {
  const { deps, nowMs, session } = call;
  if ((await findOwnPayout(call, tradeNo)) === null) return unknown('payout');
  const by = session.person.email;
  const outcome = await deps.transact(async (tx) => {
    const made = await cancelPayout(tx, { tradeNo, by, reason, nowMs });
    if (made === 'moved') await call.record(tx, { subject: tradeNo, detail: reason });
    return made;
  });
  if (outcome !== 'moved')
    return refusal('changed', 'the payout is on its way or has ended: nothing was cancelled');
  const payout = await findOwnPayout(call, tradeNo);
  if (payout === null) return unknown('payout');
  return answer({ payout: presentPayout(payout, await readTexts({ ...deps, reader: call.reader })) });
};
