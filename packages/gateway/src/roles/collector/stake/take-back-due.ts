// Takes back the energy that collections no longer need, however they ended, and finds energy that was left behind.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { AfterDelegation } from '@ducat/core/collection/after-delegation';
import { afterDelegation } from '@ducat/core/collection/after-delegation';
import { type EnergyOut, readEnergyOut } from '../../../db/tables/collections/delegated-energy.ts';
import { takeBackEnergy } from '../../../flows/collections/stake/take-back-energy.ts';
import { newOutgoingId } from '../../../runtime/ids.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { CollectOutcome, LeasedCollector } from '../parts.ts';
import { gasWallet } from '../wallets.ts';

const MOST_AT_ONCE = 64;

/** A return that still cannot be signed after this time is cancelled, and the chain is asked again. */
const TROUBLE_MS = 60 * 60 * 1_000;

/** Works by the stored rows: whichever process delegated the energy, and whatever became of that process. */
export async function takeBackDue(collector: LeasedCollector): Promise<CollectOutcome> {
  const { writer, reader, transact, world, lease } = collector;
  const { definition: chain } = writer;
  const nowMs = world.nowMs();
  const nativeId = nativeCurrency(chain).currencyId;
  const query = { chain: chain.name, nativeId, troubledBeforeMs: nowMs - TROUBLE_MS };
  const due = await readEnergyOut(reader, query, { nowMs, limit: MOST_AT_ONCE });
  if (due.length === 0) return 'idle';
  const from = await gasWallet(collector);
  for (const energy of due) {
    const { collectionId } = energy;
    collector.onItem({ kind: 'collection', id: collectionId });
    const isAsked = afterDelegation({ ...energy, report: null }, nowMs).kind === 'ask';
    const report = isAsked ? await reportOf(collector, from, energy) : null;
    const outgoingId = newOutgoingId(world);
    const input = { ...query, collectionId, outgoingId, chain, gasWallet: from, report, nowMs, lease };
    const took = await transact((tx) => takeBackEnergy(tx, input));
    collector.onItem(null);
    if (took.outcome === 'lease-lost') return 'lease-lost';
    if (took.outcome === 'done') note(collector, energy, took.after);
  }
  return due.length === MOST_AT_ONCE ? 'busy' : 'idle';
}

/** What a quorum reports; null where there is no quorum, or something else prevents the return. */
async function reportOf(
  { writer, log }: LeasedCollector,
  from: string,
  { collectionId, address: to, stake }: EnergyOut,
): Promise<'delegated' | 'gone' | null> {
  const delegation = { action: 'undelegate', staker: stake.staker } as const;
  const planned = { from, to, currency: nativeCurrency(writer.definition), amount: stake.amount, delegation };
  const fields = { chain: writer.definition.name, collectionId, address: to };
  try {
    const estimate = await writer.estimate(planned);
    if (estimate.outcome === 'possible') return 'delegated';
    if (estimate.stake === 'gone') {
      // The text says how much is still delegated there. The staker's own key has to take that back.
      log.warn({ ...fields, reason: estimate.text }, 'energy of ours is not where it was delegated to');
      return 'gone';
    }
    log.error({ ...fields, reason: estimate.text }, 'energy cannot be taken back');
    return null;
  } catch (error) {
    // One delegation that no node answers for must not keep the others waiting.
    if (!(error instanceof Outage)) throw error;
    log.warn({ ...fields, error }, 'energy waits to be taken back');
    return null;
  }
}

function note({ log, observer, writer }: LeasedCollector, energy: EnergyOut, after: AfterDelegation): void {
  const chain = writer.definition.name;
  const { collectionId, address } = energy;
  const fields = { flow: 'take-back-energy', chain, collectionId, address };
  if (after.kind === 'undelegate') return log.info(fields, 'energy is being taken back');
  if (after.kind === 'pause') {
    const { returns } = energy;
    return log.error(
      { ...fields, returns, untilMs: after.untilMs },
      'energy is still out after every attempt',
    );
  }
  if (after.kind !== 'over' || after.how === 'never') return;
  observer.onCollection(chain, after.how);
  if (after.how === 'returned') log.info(fields, 'energy is back');
  else log.error(fields, 'energy was taken back by another key than ours');
}
