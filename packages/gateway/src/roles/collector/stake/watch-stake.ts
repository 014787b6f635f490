// Says what an operator's stake is worth, and takes back energy that nothing in the books accounts for.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { failurePauseMs } from '@ducat/core/collection/after-step';
import { type StakePlace, strayPlaces } from '@ducat/core/collection/stake-places';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import type { Staker } from '@ducat/core/signing/transfer-intent';
import { readCursors } from '../../../db/tables/cursors.ts';
import { takeBackStray, withdrawStrays } from '../../../flows/collections/stake/take-back-stray.ts';
import { newOutgoingId, newStrayId } from '../../../runtime/ids.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { LeasedCollector } from '../parts.ts';
import { gasWallet } from '../wallets.ts';
import { readStakeLook } from './stake-look.ts';

/**
 * A transaction on Tron expires after five minutes. So energy that has been a stray for an hour is of no delegation that the
 * books are still to read. A return that cannot be signed for an hour is withdrawn.
 */
const STRAY_MS = 60 * 60 * 1_000;
/** The count of a stray's returns is forgotten this long after its next return was due. */
const FORGET_MS = 48 * STRAY_MS;

/** By address: when its energy is taken back next, Unix ms, and how often that was tried. In the memory of one process. */
export type StraysSeen = Map<string, { readonly dueMs: number; readonly asked: number }>;

/** False where another process collects on the chain now. While the chain is away, its stake is not reported. */
export async function watchStake(collector: LeasedCollector, seen: StraysSeen): Promise<boolean> {
  const { writer, reader, transact, world, policy, lease, observer } = collector;
  const { name: chain, family } = writer.definition;
  if (family !== 'tron') return true;
  const nowMs = world.nowMs();
  const withdrawing = { chain, troubledBeforeMs: nowMs - STRAY_MS, nowMs, lease };
  // This is done even where the configuration no longer names a staker.
  if (!(await transact((tx) => withdrawStrays(tx, withdrawing)))) return false;
  const { staker } = policy;
  if (staker === null) return true;
  const look = await unlessAway(readStakeLook({ writer, reader, staker, nowMs }));
  if (look === null) return true;
  observer.onStake(writer.definition, look);
  const cursor = (await readCursors(reader)).get(chain);
  if (cursor === undefined || cursor.haltedReason !== null || !look.report.isPermitted) return true;
  return takeBackStrays(collector, staker, dueStrays(strayPlaces(look.places), seen, nowMs));
}

async function unlessAway(asked: Promise<StakeLook | null>): Promise<StakeLook | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

async function takeBackStrays(
  collector: LeasedCollector,
  staker: Staker,
  strays: readonly StakePlace[],
): Promise<boolean> {
  const { writer, transact, world, lease, log } = collector;
  const { definition: chain } = writer;
  const nativeId = nativeCurrency(chain).currencyId;
  const nowMs = world.nowMs();
  for (const place of strays) {
    const [strayId, outgoingId] = [newStrayId(world), newOutgoingId(world)];
    const from = await gasWallet(collector);
    const input = { strayId, outgoingId, chain, nativeId, gasWallet: from, staker, place, nowMs, lease };
    const took = await transact((tx) => takeBackStray(tx, input));
    if (took === 'lease-lost') return false;
    const fields = { flow: 'take-back-stray', chain: chain.name, address: place.address, strayId };
    if (took === 'asked') log.warn(fields, 'energy that no collection accounts for is being taken back');
  }
  return true;
}

/**
 * A stray is due an hour after it was found. A stray that stays is due again an hour after its return was withdrawn, and
 * then after ever longer pauses.
 */
function dueStrays(strays: readonly StakePlace[], seen: StraysSeen, nowMs: number): readonly StakePlace[] {
  const addresses = new Set(strays.map(({ address }) => address));
  for (const [address, { dueMs, asked }] of seen) {
    const isForgotten = asked === 0 ? !addresses.has(address) : dueMs < nowMs - FORGET_MS;
    if (isForgotten) seen.delete(address);
  }
  return strays.filter(({ address }) => {
    const { dueMs, asked } = seen.get(address) ?? { dueMs: nowMs + STRAY_MS, asked: 0 };
    const isDue = dueMs <= nowMs;
    const next = isDue ? nowMs + STRAY_MS + failurePauseMs(asked + 1) : dueMs;
    seen.set(address, { dueMs: next, asked: isDue ? asked + 1 : asked });
    return isDue;
  });
}
