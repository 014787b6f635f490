// Fails a payout whose transfer is proven never to happen. Its app gets everything back that was reserved.
import {
  failPayout as decide,
  type FailureProof,
  type Moved,
  type Unmoved,
} from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { lockPayout } from '../../db/tables/payouts/payouts.ts';
import { writeMoved } from './write-moved.ts';

export interface FailPayout extends PayoutEventWriting {
  readonly tradeNo: string;
  readonly proof: FailureProof;
}

/** Called in the database transaction that settles the proof's block. Ends a payout once; a second call changes nothing. */
export async function failPayout(
  tx: Tx,
  input: FailPayout,
): Promise<Moved['outcome'] | Unmoved['outcome'] | 'unknown'> {
  const payout = await lockPayout(tx, input.tradeNo);
  if (payout === null) return 'unknown';
  const step = decide(payout, input.proof);
  if (step.outcome !== 'moved') return step.outcome;
  const { time, txId } = input.proof;
  await writeMoved(tx, payout, step, { ...input, end: { time, txId, by: null, reason: null } });
  return step.outcome;
}
