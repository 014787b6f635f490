// Rests of roles whose chains are idle. All roles of a process share one look at the database.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Reader } from '../db/postgres/tx.ts';
import { readChainsInUse } from '../db/tables/idle-chains.ts';
import type { Log } from './log.ts';
import type { World } from './world.ts';

/** How old a look at the database may be. So much later at most, a role that rests goes on. */
const LOOK_EVERY_MS = 3_000;
/** A rest takes a quarter of the time for which the chain has been idle, between bounds. */
const IDLE_SHARE = 4;

/** Milliseconds. */
export interface RestBounds {
  readonly least: number;
  readonly most: number;
}

export interface IdleChains {
  /**
   * For how many milliseconds the chain has been idle, or all chains for null. Null where it is in use, or where that is
   * not known. The answer may be three seconds old.
   */
  idleMs(chain: string | null): Promise<number | null>;
  /**
   * Rests while the chain is idle: for a quarter of the time that it has been idle, within the bounds, or until the signal.
   * False at once where the chain is in use. Null as a chain means all chains.
   */
  rest(chain: string | null, bounds: RestBounds, signal: AbortSignal): Promise<boolean>;
}

export interface IdleParts {
  readonly reader: Reader;
  readonly world: Pick<World, 'nowMs' | 'sleep'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createIdleChains(
  { reader, world, log }: IdleParts,
  chains: readonly Pick<ChainDefinition, 'name' | 'family'>[],
): IdleChains {
  const idleSinceMs = new Map<string, number>();
  let lookedAtMs = -Infinity;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const nowMs = world.nowMs();
    const inUse = await readChainsInUse(reader, chains, nowMs).catch((error: unknown) => {
      // An error of this query must not stop a role. A chain of which nothing is known counts as in use.
      log.warn({ error }, 'which chains are idle is not known');
      return null;
    });
    for (const { name } of chains) {
      if (inUse === null || inUse.has(name)) idleSinceMs.delete(name);
      else if (!idleSinceMs.has(name)) idleSinceMs.set(name, nowMs);
    }
    lookedAtMs = nowMs;
  }

  // Distances count in both directions: a clock that was set back must not make a look last.
  const ageMs = () => Math.abs(world.nowMs() - lookedAtMs);

  async function idleMs(chain: string | null): Promise<number | null> {
    if (ageMs() >= LOOK_EVERY_MS) {
      looking ??= look().finally(() => {
        looking = null;
      });
      await looking;
    }
    const nowMs = world.nowMs();
    const asked = chain === null ? chains.map(({ name }) => name) : [chain];
    let leastMs = Infinity;
    for (const name of asked) {
      const sinceMs = idleSinceMs.get(name);
      if (sinceMs === undefined) return null;
      leastMs = Math.min(leastMs, Math.abs(nowMs - sinceMs));
    }
    return leastMs;
  }

  return {
    idleMs,
    rest: async (chain, { least, most }, signal) => {
      const startedMs = world.nowMs();
      const idle = await idleMs(chain);
      if (idle === null) return false;
      const restMs = Math.max(least, Math.min(most, idle / IDLE_SHARE));
      const leftMs = () => restMs - Math.abs(world.nowMs() - startedMs);
      // Everyone who rests wakes when the next look is due, and the first of them makes it for all.
      do await world.sleep(Math.max(0, Math.min(leftMs(), LOOK_EVERY_MS - ageMs())), signal);
      while (!signal.aborted && leftMs() > 0 && (await idleMs(chain)) !== null);
      return true;
    },
  };
}
