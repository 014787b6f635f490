// Takes a collection to its next step after an outgoing transaction has ended, or gives it up before the step is signed.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { type AfterStep, afterStep } from '@ducat/core/collection/after-step';
import { sweptBy } from '@ducat/core/outgoing/sweep-verdict';
import { walletPath } from '@ducat/core/signing/key-path';
import type { Tx } from '../../db/postgres/tx.ts';
import {
  type EndState,
  endCollection,
  ENERGY_SUFFIX,
  FUNDING_SUFFIX,
  lockStepped,
  type OpenCollection,
  setStep,
} from '../../db/tables/collections/collections.ts';
import { releaseHolding } from '../../db/tables/collections/holdings.ts';
import { readMoved } from '../../db/tables/outgoing/endings.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';
import { delegation } from './stake/delegation-request.ts';

export interface AdvanceCollection {
  readonly collectionId: string;
  /** The id of the outgoing transaction of the next step. */
  readonly outgoingId: string;
  /** The gas wallet, whose key delegates energy; null where the collection has no stake. */
  readonly gasWallet: string | null;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly nativeId: number;
  /** A step that waits in trouble since before this time is given up. */
  readonly troubledBeforeMs: number;
  /** The same limit for a step of a sweep. */
  readonly sweepTroubledBeforeMs: number;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

export type AdvancedCollection =
  | { readonly outcome: 'advanced'; readonly after: AfterStep; readonly collection: OpenCollection }
  /** The step of the collection goes on. */
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'lease-lost' };

export async function advanceCollection(tx: Tx, input: AdvanceCollection): Promise<AdvancedCollection> {
  const { collectionId, chain } = input;
  if (!(await holdsLease(tx, collectLease(chain.name), input.lease))) return { outcome: 'lease-lost' };
  const locked = await lockStepped(tx, collectionId, { ...input, chain: chain.name });
  if (locked === null) return { outcome: 'nothing' };
  const collection = await ofSweep(tx, chain.name, locked);
  // The step can only be cancelled while it waits. Once another process has prepared it, cancelling is too late.
  if (collection.step === 'waiting' && !(await takeBack(tx, collection, input.nowMs)))
    return { outcome: 'nothing' };
  const { stake, sweep } = collection;
  const after = afterStep({ ...collection, isDelegated: stake !== null, isSwept: sweep !== null });
  if (after.kind === 'nothing') return { outcome: 'nothing' };
  await apply(tx, input, collection, after);
  return { outcome: 'advanced', after, collection };
}

/** A succeeded sweep may have failed for one address, so step and amount follow from the transfers of that address. */
async function ofSweep(tx: Tx, chain: string, collection: OpenCollection): Promise<OpenCollection> {
  const { sweep, step, address: from, wallet: to, amount } = collection;
  if (sweep === null || sweep.txId === null || step !== 'succeeded') return collection;
  const transfers = (await readMoved(tx, chain, [sweep.txId])).get(sweep.txId) ?? [];
  const { verdict, moved } = sweptBy({ from, to, amount }, transfers);
  return { ...collection, step: verdict, amount: verdict === 'succeeded' ? moved : amount };
}

function takeBack(tx: Tx, { collectionId, sweep, state }: OpenCollection, nowMs: number): Promise<boolean> {
  const subject = (
    {
      funding: { kind: 'funding', id: collectionId + FUNDING_SUFFIX },
      delegating: { kind: 'funding', id: collectionId + ENERGY_SUFFIX },
      moving: { kind: 'collection', id: sweep?.id ?? collectionId },
    } as const
  )[state];
  // mark: given-up-only-before-it-is-signed
  return cancelOutgoing(tx, subject, nowMs);
}

async function apply(
  tx: Tx,
  { chain, outgoingId, gasWallet, nativeId, nowMs }: AdvanceCollection,
  collection: OpenCollection,
  after: Exclude<AfterStep, { readonly kind: 'nothing' }>,
): Promise<void> {
  const { collectionId, addressId, amount, failures, step } = collection;
  const key = { chain: chain.name, addressId, currencyId: amount.currencyId };
  const end = async (state: EndState, reason: string | null) => {
    await endCollection(tx, collectionId, { state, reason, amount, nowMs });
  };
  const failed: EndState = step === 'waiting' || step === 'cancelled' ? 'withdrawn' : 'failed';
  switch (after.kind) {
    case 'delegate': {
      const { stake, address, account, index } = collection;
      assert(stake !== null && gasWallet !== null, `${collectionId} has a stake`);
      const recipient = { account, branch: 'deposit', index } as const;
      const id = collectionId + ENERGY_SUFFIX;
      const request = delegation({ id, chain, nativeId, gasWallet, address, recipient, stake });
      const requested = await requestOutgoing(tx, { outgoingId, chain, nowMs, ...request });
      assert(requested === 'requested', `the energy of ${collectionId} was ${requested}`);
      return setStep(tx, collectionId, 'delegating');
    }
    case 'move': {
      const subject = {
        kind: 'collection',
        id: collectionId,
        recipient: walletPath(collection.account),
      } as const;
      const { address: from, wallet: to, gas: feeCap } = collection;
      const request = { outgoingId, chain, subject, from, to, amount, feeCap, nowMs };
      const requested = await requestOutgoing(tx, request);
      assert(requested === 'requested', `the transfer of ${collectionId} was ${requested}`);
      return setStep(tx, collectionId, 'moving');
    }
    case 'collected':
      await end('collected', null);
      // The holding is checked again at once, for deposits that arrived meanwhile. Without any, that check drops it.
      return releaseHolding(
        tx,
        { ...key, state: 'waiting', nextAtMs: nowMs, reason: null, failures: 0 },
        nowMs,
      );
    case 'again': {
      const { reason, pauseMs } = after;
      await end(failed, reason);
      const next = { state: 'waiting', nextAtMs: nowMs + pauseMs, reason, failures: failures + 1 } as const;
      return releaseHolding(tx, { ...key, ...next }, nowMs);
    }
    case 'freeze': {
      const { reason } = after;
      await end(failed, reason);
      const next = { state: 'frozen', nextAtMs: null, reason, failures: failures + 1 } as const;
      return releaseHolding(tx, { ...key, ...next }, nowMs);
    }
  }
}
