// Compares the balances of our addresses with the books, chain by chain: a changed balance soon, all others in rounds.
// The checks keep to the calls per minute that the operator allows.
import type { HeldLease } from '../../db/tables/leases.ts';
import { Outage } from '../../runtime/outage.ts';
import { ChainChecks, SEARCH_EVERY_MS } from './chain-checks.ts';
import type { ReserveChecks } from './reserve-checks.ts';
import type { ReserveChain } from './compare-balances.ts';

/** The pause after an outage of the database. */
const OUTAGE_PAUSE_MS = SEARCH_EVERY_MS;

/** Runs until the signal, one loop for each chain. A chain that cannot be asked does not keep the others waiting. */
export async function runReserveChecks(
  checks: ReserveChecks & { readonly chains: readonly ReserveChain[] },
  lease: HeldLease,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(checks.chains.map((chain) => checkChain(checks, chain, lease, signal)));
}

async function checkChain(
  checks: ReserveChecks,
  chain: ReserveChain,
  lease: HeldLease,
  signal: AbortSignal,
): Promise<void> {
  const { world, log, limits } = checks;
  const chainChecks = new ChainChecks(checks, chain, lease, signal);
  while (!signal.aborted) {
    const startMs = world.nowMs();
    let pauseMs = OUTAGE_PAUSE_MS;
    try {
      const { calls, idleMs } = await chainChecks.step();
      pauseMs = Math.max(idleMs, (calls * 60_000) / limits.callsPerMinute);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      log.warn({ chain: chain.definition.name, error }, 'the checks of a chain wait for an outage to end');
    }
    const tookMs = Math.abs(world.nowMs() - startMs);
    await world.sleep(Math.max(0, pauseMs - tookMs), signal);
  }
}
