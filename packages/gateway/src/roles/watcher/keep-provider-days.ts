// Once a minute, stores in the database how the providers of a chain performed, for operators to look at.
import type { ChainReader } from '../../chains/port/reader.ts';
import type { Transact } from '../../db/postgres/tx.ts';
import { recordProviders } from '../../flows/blocks/record-providers.ts';
import type { Log } from '../../runtime/log.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

const EVERY_MS = 60_000;

interface Counts {
  readonly calls: number;
  readonly failures: number;
  readonly totalMs: number;
}

export interface KeepProviderDays {
  readonly chain: ChainReader;
  /** The counts of requests to a provider since the start of the process. */
  readonly countsOf: (provider: string) => Counts;
  readonly holder: string;
  readonly transact: Transact;
  readonly world: World;
  readonly log: Log;
}

type Kept = ReadonlyMap<string, Counts & { readonly disagreements: number }>;

/** Runs until the signal. While the database is away nothing is lost: the counts go on and are stored together later. */
export async function keepProviderDays(deps: KeepProviderDays, signal: AbortSignal): Promise<void> {
  let kept: Kept = new Map();
  while (!signal.aborted) {
    await deps.world.sleep(EVERY_MS, signal);
    if (signal.aborted) return;
    try {
      kept = await keepOnce(deps, kept);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      deps.log.debug({ error, chain: deps.chain.definition.name }, 'what providers are like cannot be kept');
    }
  }
}

/** Stores the counts since `kept`; returns the counts that are stored by now, from which the next call goes on. */
async function keepOnce(deps: KeepProviderDays, kept: Kept): Promise<Kept> {
  const { chain, countsOf, holder, transact, world } = deps;
  const now = chain.providers().map((health) => ({ ...health, ...countsOf(health.provider) }));
  const providers = now.map((one) => {
    const before = kept.get(one.provider);
    return {
      ...one,
      calls: one.calls - (before?.calls ?? 0),
      failures: one.failures - (before?.failures ?? 0),
      totalMs: one.totalMs - (before?.totalMs ?? 0),
      disagreements: one.disagreements - (before?.disagreements ?? 0),
    };
  });
  const record = { chain: chain.definition.name, holder, nowMs: world.nowMs(), providers };
  await transact((tx) => recordProviders(tx, record));
  return new Map(now.map((one) => [one.provider, one]));
}
