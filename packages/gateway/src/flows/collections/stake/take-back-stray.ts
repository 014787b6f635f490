// Takes back a stray: energy delegated to a deposit address where no collection accounts for it.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { StakePlace } from '@ducat/core/collection/stake-places';
import type { Staker } from '@ducat/core/signing/transfer-intent';
import { readOwnReceivers, readStuckStrays } from '../../../db/tables/collections/stake-places.ts';
import { collectLease, type HeldLease, holdsLease } from '../../../db/tables/leases.ts';
import type { Tx } from '../../../db/postgres/tx.ts';
import { cancelOutgoing } from '../../outgoing/cancel-outgoing.ts';
import { requestOutgoing } from '../../outgoing/request-outgoing.ts';
import { undelegation } from './delegation-request.ts';

export interface TakeBackStray {
  /** The id of the subject of the transaction that takes the energy back. */
  readonly strayId: string;
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly nativeId: number;
  readonly gasWallet: string;
  readonly staker: Staker;
  readonly place: StakePlace;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** `accounted`: a collection has begun at the address, or a transaction that takes the energy back is open. */
export type TookBackStray = 'asked' | 'accounted' | 'lease-lost';

export async function takeBackStray(tx: Tx, input: TakeBackStray): Promise<TookBackStray> {
  const { strayId: id, outgoingId, chain, nativeId, gasWallet, staker, place, nowMs } = input;
  if (!(await holdsLease(tx, collectLease(chain.name), input.lease))) return 'lease-lost';
  // Collections begin under the same lease, and no collection begins where energy is being taken back.
  const query = { chain: chain.name, family: chain.family, receivers: [place.address], limit: 1 };
  if ((await readOwnReceivers(tx, query)).length === 0) return 'accounted';
  const stake = { staker, amount: place.withoutLock };
  const { address, path: recipient } = place;
  const request = undelegation({ id, chain, nativeId, gasWallet, address, recipient, stake });
  await requestOutgoing(tx, { outgoingId, chain, nowMs, ...request });
  return 'asked';
}

export interface WithdrawStrays {
  readonly chain: string;
  readonly troubledBeforeMs: number;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/**
 * Withdraws undelegations of strays that wait in trouble for too long; no signed transaction of them can still happen. False
 * where another process collects on the chain now.
 */
export async function withdrawStrays(tx: Tx, input: WithdrawStrays): Promise<boolean> {
  const { chain, troubledBeforeMs, nowMs, lease } = input;
  if (!(await holdsLease(tx, collectLease(chain), lease))) return false;
  for (const id of await readStuckStrays(tx, chain, troubledBeforeMs))
    await cancelOutgoing(tx, { kind: 'funding', id }, nowMs);
  return true;
}
