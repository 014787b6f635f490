// payouts.decline: a second person declines to approve a payout, which ends as cancelled.
import { cancelPayout } from '../../../flows/payouts/cancel-payout.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { readTexts } from '../texts.ts';
import { findOwnPayout, presentPayout } from './payout-rows.ts';

export const handlePayoutDecline: Handler<'payouts.decline'> = async (
  call,
  { trade_no: tradeNo, reason },
) => {
  const { deps, nowMs, session } = call;
  if ((await findOwnPayout(call, tradeNo)) === null) return unknown('payout');
  const { email: by, personId } = session.person;
  const outcome = await deps.transact(async (tx) => {
    const made = await cancelPayout(tx, { tradeNo, by, reason, nowMs, decline: { personId } });
    if (made === 'moved') await call.record(tx, { subject: tradeNo, detail: reason });
    return made;
  });
  if (outcome === 'own-payout')
    return refusal('not-permitted', 'a second person declines: who asked for the payout cancels it');
  if (outcome === 'not-asked')
    return refusal('conflict', 'nobody is asked to approve this payout: who pays out cancels it');
  if (outcome === 'approved')
    return refusal('changed', 'a second person approved the payout meanwhile: nothing was declined');
  if (outcome !== 'moved')
    return refusal('changed', 'the payout is on its way or has ended: nothing was declined');
  const payout = await findOwnPayout(call, tradeNo);
  if (payout === null) return unknown('payout');
  return answer({ payout: presentPayout(payout, await readTexts({ ...deps, reader: call.reader })) });
};
