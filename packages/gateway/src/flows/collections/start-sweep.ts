// Begins a sweep of one token from many deposit addresses of an app: a collection for each address, one transaction for all.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { add, type Amount, compare, zero } from '@ducat/core/money/amount';
import { walletPath } from '@ducat/core/signing/key-path';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertCollection } from '../../db/tables/collections/collections.ts';
import {
  type DueHolding,
  lockHolding,
  lockAddressOfTokens,
  markCollecting,
} from '../../db/tables/collections/holdings.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';

/** One address of the sweep. */
export interface SweepPart {
  readonly collectionId: string;
  /** All parts of a sweep have the same app and the same currency. */
  readonly holding: DueHolding;
  /** What the address is known to hold. */
  readonly amount: Amount;
  /** The nonce of the address's authorisation; null where the address delegates to the sweeper already. */
  readonly nonce: number | null;
}

export interface StartSweep {
  readonly sweepId: string;
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly nativeId: number;
  readonly parts: readonly SweepPart[];
  /** The app's wallet, and the gas wallet that pays for the sweep. */
  readonly wallet: string;
  readonly gasWallet: string;
  /** The fee cap of the whole transaction. */
  readonly feeCap: Amount;
  /** The expected cost of each part. */
  readonly share: Amount;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** Returns the parts that began; the others are planned again. Null where another process collects on the chain now. */
export async function startSweep(tx: Tx, input: StartSweep): Promise<readonly SweepPart[] | null> {
  const { chain, sweepId: id, outgoingId, wallet: to, gasWallet: from, feeCap, nowMs } = input;
  if (!(await holdsLease(tx, collectLease(chain.name), input.lease))) return null;
  const began: SweepPart[] = [];
  // Holdings are always locked in this order, so that two transactions cannot deadlock.
  const parts = input.parts.toSorted((one, other) => one.holding.addressId - other.holding.addressId);
  for (const part of parts) if (await beginPart(tx, input, part)) began.push(part);
  const [first] = began;
  if (first === undefined) return began;
  const subject = { kind: 'collection', id, recipient: walletPath(first.holding.account) } as const;
  const amount = began.map((part) => part.amount).reduce(add, zero(first.amount.currencyId));
  const swept = began
    .map(({ holding: { index, address }, nonce }) => ({ index, address, nonce }))
    .toSorted((one, other) => one.index - other.index);
  const sweeping = { type: 'sweep', from: swept } as const;
  const request = { outgoingId, chain, subject, from, to, amount, feeCap, sweeping, nowMs };
  const requested = await requestOutgoing(tx, request);
  assert(requested === 'requested', `the sweep ${id} was ${requested}`);
  return began;
}

async function beginPart(
  tx: Tx,
  { chain, nativeId, sweepId, wallet, share, nowMs }: StartSweep,
  { collectionId, holding, amount }: SweepPart,
): Promise<boolean> {
  const now = await lockHolding(tx, holding, nativeId);
  // mark: only-what-the-books-hold-is-swept
  if (now === null || compare(amount, now.held) > 0) return false;
  // mark: an-address-of-the-pool-is-not-swept
  if (!(await lockAddressOfTokens(tx, holding, nativeId))) return false;
  const plan = { method: 'sponsored', amount, gas: share, funding: null, stake: null } as const;
  const { addressId } = holding;
  const row = { collectionId, chain: chain.name, addressId, wallet, ...plan, sweepId, cost: share, nowMs };
  // mark: an-address-in-one-sweep
  if (!(await insertCollection(tx, chain.family, row))) return false;
  await markCollecting(tx, holding);
  return true;
}
