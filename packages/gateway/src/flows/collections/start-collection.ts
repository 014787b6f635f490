// Begins a collection: stores its plan, and asks for the outgoing transaction of its first step.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { CollectionPlan } from '@ducat/core/collection/plan';
import { add, type Amount, compare } from '@ducat/core/money/amount';
import { type KeyPath, walletPath } from '@ducat/core/signing/key-path';
import { assert } from '@ducat/core/assert';
import type { Tx } from '../../db/postgres/tx.ts';
import { ENERGY_SUFFIX, FUNDING_SUFFIX, insertCollection } from '../../db/tables/collections/collections.ts';
import { type DueHolding, lockHolding, markCollecting } from '../../db/tables/collections/holdings.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';
import { delegation } from './stake/delegation-request.ts';

export interface StartCollection {
  readonly collectionId: string;
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly nativeId: number;
  readonly holding: DueHolding;
  readonly plan: CollectionPlan;
  /** The app's wallet, and the gas wallet that pays network fees. */
  readonly wallet: string;
  readonly gasWallet: string;
  /** The fee cap of the funding transaction; unused where nothing is funded. */
  readonly fundingFeeCap: Amount;
  /** The expected cost of the whole collection. */
  readonly cost: Amount;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** `changed`: the address holds less than the plan says, or is being collected already. The collection is planned again. */
export type StartedCollection = 'started' | 'changed' | 'lease-lost';

export async function startCollection(tx: Tx, input: StartCollection): Promise<StartedCollection> {
  const { chain, holding, plan, collectionId, nativeId, nowMs } = input;
  if (!(await holdsLease(tx, collectLease(chain.name), input.lease))) return 'lease-lost';
  const now = await lockHolding(tx, holding, nativeId);
  // mark: only-what-the-books-hold-is-collected
  if (now === null || !isCovered(plan, now)) return 'changed';
  const { addressId } = holding;
  const { wallet, cost } = input;
  const collection = { collectionId, chain: chain.name, addressId, wallet, ...plan, cost, nowMs };
  // mark: one-collection-at-a-time
  if (!(await insertCollection(tx, chain.family, collection))) return 'changed';
  await markCollecting(tx, holding);
  const requested = await requestOutgoing(tx, { chain, nowMs, ...firstStep(input) });
  assert(requested === 'requested', `the first step of ${collectionId} was ${requested}`);
  return 'started';
}

/** Whether the address holds both the amount that leaves it and the fee of the transfer, funding included. */
function isCovered(
  { method, amount, gas, funding }: CollectionPlan,
  { held, nativeHeld }: { readonly held: Amount; readonly nativeHeld: Amount },
): boolean {
  if (method === 'native') return compare(add(amount, gas), held) <= 0;
  const coin = funding === null ? nativeHeld : add(nativeHeld, funding);
  return compare(amount, held) <= 0 && compare(gas, coin) <= 0;
}

function firstStep(input: StartCollection) {
  const { chain, holding, plan, collectionId, outgoingId, wallet, gasWallet, nativeId } = input;
  const { account, index, address } = holding;
  const recipient: KeyPath = { account, branch: 'deposit', index };
  if (plan.funding !== null) {
    const subject = { kind: 'funding', id: collectionId + FUNDING_SUFFIX, recipient } as const;
    const { fundingFeeCap: feeCap } = input;
    return { outgoingId, subject, from: gasWallet, to: address, amount: plan.funding, feeCap };
  }
  if (plan.stake !== null) {
    const { stake } = plan;
    const id = collectionId + ENERGY_SUFFIX;
    return { outgoingId, ...delegation({ id, chain, nativeId, gasWallet, address, recipient, stake }) };
  }
  const subject = { kind: 'collection', id: collectionId, recipient: walletPath(account) } as const;
  return { outgoingId, subject, from: address, to: wallet, amount: plan.amount, feeCap: plan.gas };
}
