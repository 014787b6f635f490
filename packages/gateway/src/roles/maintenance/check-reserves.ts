// Compares the balances of our addresses with the books, chain by chain: a changed balance soon, all others in rounds.
// The checks keep to the calls per minute that the operator allows.
import type { HeldLease } from '../../db/tables/leases.ts';
import { Outage } from '../../runtime/outage.ts';
import { ChainChecks, SEARCH_EVERY_MS } from './chain-checks.ts';
import type { ReserveChecks } from './reserve-checks.ts';
import type { ReserveChain } from './compare-balances.ts';

/** How long a search is put off at most while the chain is idle, when no balance of ours changes. */
const LONGEST_REST_MS = 45_000;

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
  const { world, log, limits, idle } = checks;
  const chainChecks = new ChainChecks(checks, chain, lease, signal);
  while (!signal.aborted) {
    const startMs = world.nowMs();
    let [freeMs, pauseMs] = [SEARCH_EVERY_MS, SEARCH_EVERY_MS];
    try {
      const step = await chainChecks.step();
      freeMs = step.freeMs;
      pauseMs = Math.max(Math.min(freeMs, SEARCH_EVERY_MS), (step.calls * 60_000) / limits.callsPerMinute);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      log.warn({ chain: chain.definition.name, error }, 'the checks of a chain wait for an outage to end');
    }
    const tookMs = Math.abs(world.nowMs() - startMs);
    await world.sleep(Math.max(0, pauseMs - tookMs), signal);
    const most = Math.min(LONGEST_REST_MS, freeMs - pauseMs);
    if (most > 0) await idle.rest(chain.definition.name, { least: 0, most }, signal);
  }
}
