// Takes back the energy that a collection had delegated, once the collection is over. Each call does one step.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import {
  afterDelegation,
  type AfterDelegation,
  type DelegatedEnergy,
} from '@ducat/core/collection/after-delegation';
import { ENERGY_SUFFIX } from '../../../db/tables/collections/collections.ts';
import {
  type EnergyOut,
  lockEnergyOut,
  returnSubject,
  setReturnLook,
} from '../../../db/tables/collections/delegated-energy.ts';
import { collectLease, type HeldLease, holdsLease } from '../../../db/tables/leases.ts';
import type { Tx } from '../../../db/postgres/tx.ts';
import { cancelOutgoing } from '../../outgoing/cancel-outgoing.ts';
import { requestOutgoing } from '../../outgoing/request-outgoing.ts';
import { undelegation } from './delegation-request.ts';

export interface TakeBackEnergy {
  readonly collectionId: string;
  /** The id of the outgoing transaction that undelegates, where that is the next step. */
  readonly outgoingId: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  readonly nativeId: number;
  readonly gasWallet: string;
  /** Whether a quorum reports the energy as delegated; null where no quorum was asked or none answered. */
  readonly report: DelegatedEnergy['report'];
  readonly troubledBeforeMs: number;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

export type TookBackEnergy =
  | { readonly outcome: 'done'; readonly after: AfterDelegation }
  /** All energy of the collection is back. */
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'lease-lost' };

/**
 * The time until the next check. `wait`: a transaction is open. `ask`: no quorum has answered. `doubt`: the chain reports
 * the energy as gone.
 */
const LOOK_MS = { wait: 10_000, ask: 120_000, doubt: 300_000 };

export async function takeBackEnergy(tx: Tx, input: TakeBackEnergy): Promise<TookBackEnergy> {
  const { collectionId, chain, nativeId, troubledBeforeMs, report, nowMs } = input;
  if (!(await holdsLease(tx, collectLease(chain.name), input.lease))) return { outcome: 'lease-lost' };
  // mark: energy-is-taken-back-once
  const energy = await lockEnergyOut(tx, collectionId, { chain: chain.name, nativeId, troubledBeforeMs });
  if (energy === null) return { outcome: 'nothing' };
  const after = afterDelegation({ ...energy, report }, nowMs);
  await apply(tx, input, energy, after);
  return { outcome: 'done', after };
}

async function apply(
  tx: Tx,
  input: TakeBackEnergy,
  energy: EnergyOut,
  after: AfterDelegation,
): Promise<void> {
  const { chain, outgoingId, nowMs } = input;
  const { collectionId, returns, delegated } = energy;
  const goneSinceMs = input.report === 'delegated' ? null : energy.goneSinceMs;
  const look = (
    atMs: number | null,
    change: { readonly returns?: number; readonly goneSinceMs?: number } = {},
  ) => setReturnLook(tx, collectionId, { atMs, returns, goneSinceMs, ...change });
  switch (after.kind) {
    case 'over':
      return look(null);
    case 'doubt':
      return look(nowMs + LOOK_MS.doubt, { goneSinceMs: goneSinceMs ?? nowMs });
    case 'pause':
      return look(after.untilMs);
    case 'wait':
    case 'ask':
      return look(nowMs + LOOK_MS[after.kind]);
    case 'cancel': {
      const id =
        delegated === 'waiting' ? collectionId + ENERGY_SUFFIX : returnSubject(collectionId, returns);
      // Cancelling fails where another round has prepared the transaction meanwhile. The transaction then goes on.
      await cancelOutgoing(tx, { kind: 'funding', id }, nowMs);
      return look(nowMs);
    }
    case 'undelegate': {
      const { address, account, index, stake } = energy;
      const { nativeId, gasWallet } = input;
      const recipient = { account, branch: 'deposit', index } as const;
      const id = returnSubject(collectionId, returns + 1);
      const request = undelegation({ id, chain, nativeId, gasWallet, address, recipient, stake });
      const requested = await requestOutgoing(tx, { outgoingId, chain, nowMs, ...request });
      assert(requested === 'requested', `taking back the energy of ${collectionId} was ${requested}`);
      return look(nowMs + LOOK_MS.wait, { returns: returns + 1 });
    }
  }
}
