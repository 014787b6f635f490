// Says what an operator's stake is worth, and takes back energy that nothing in the books accounts for.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { type StakePlace, strayPlaces } from '@ducat/core/collection/stake-places';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import type { Staker } from '@ducat/core/signing/transfer-intent';
import { takeBackStray, withdrawStrays } from '../../../flows/collections/stake/take-back-stray.ts';
import { newOutgoingId, newStrayId } from '../../../runtime/ids.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { LeasedCollector } from '../parts.ts';
import { gasWallet } from '../wallets.ts';
import { readStakeLook } from './stake-look.ts';

/**
 * A transaction on Tron lives five minutes. What is a stray for an hour is none that the books are about to read. A return
 * that cannot be signed for an hour is withdrawn, and asked for again an hour later.
 */
const STRAY_MS = 60 * 60 * 1_000;

/** Since when this process sees energy at an address that the books do not account for, Unix ms by address. */
export type StraysSeen = Map<string, number>;

/** False where another process collects on the chain now. A chain that is away says nothing of its stake. */
export async function watchStake(collector: LeasedCollector, seen: StraysSeen): Promise<boolean> {
  const { writer, reader, world, policy, observer } = collector;
  const { staker } = policy;
  if (staker === null) return true;
  const look = await unlessAway(readStakeLook({ writer, reader, staker, nowMs: world.nowMs() }));
  if (look === null) return true;
  observer.onStake(writer.definition, look);
  return takeBackStrays(collector, { staker, strays: strayPlaces(look.places) }, seen);
}

async function unlessAway(asked: Promise<StakeLook | null>): Promise<StakeLook | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

interface Strays {
  readonly staker: Staker;
  readonly strays: readonly StakePlace[];
}

async function takeBackStrays(
  collector: LeasedCollector,
  { staker, strays }: Strays,
  seen: StraysSeen,
): Promise<boolean> {
  const { writer, transact, world, lease, log } = collector;
  const { definition: chain } = writer;
  const nowMs = world.nowMs();
  const withdrawing = { chain: chain.name, troubledBeforeMs: nowMs - STRAY_MS, nowMs, lease };
  if (!(await transact((tx) => withdrawStrays(tx, withdrawing)))) return false;
  for (const place of dueStrays(strays, seen, nowMs)) {
    const [strayId, outgoingId] = [newStrayId(world), newOutgoingId(world)];
    const nativeId = nativeCurrency(chain).currencyId;
    const from = await gasWallet(collector);
    const input = { strayId, outgoingId, chain, nativeId, gasWallet: from, staker, place, nowMs, lease };
    const took = await transact((tx) => takeBackStray(tx, input));
    if (took === 'lease-lost') return false;
    const fields = { flow: 'take-back-stray', chain: chain.name, address: place.address, strayId };
    if (took === 'asked') log.warn(fields, 'energy that no collection accounts for is being taken back');
  }
  return true;
}

/** Seen for an hour, without a return on its way. */
function dueStrays(strays: readonly StakePlace[], seen: StraysSeen, nowMs: number): readonly StakePlace[] {
  const addresses = new Set(strays.map(({ address }) => address));
  for (const address of seen.keys()) if (!addresses.has(address)) seen.delete(address);
  for (const { address } of strays) if (!seen.has(address)) seen.set(address, nowMs);
  return strays.filter(({ address }) => (seen.get(address) ?? nowMs) <= nowMs - STRAY_MS);
}
