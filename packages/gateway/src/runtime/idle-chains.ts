// Rests of roles whose chains are idle. All roles of a process share one look at the database.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Reader } from '../db/postgres/tx.ts';
import { readChainsInUse } from '../db/tables/idle-chains.ts';
import type { Log } from './log.ts';
import { within, type World } from './world.ts';

/** How old a look at the database may be. So much later at most, a role that rests goes on. */
const LOOK_EVERY_MS = 3_000;
/** How long a look is awaited. Roles must not stand still where the database takes longer for it. */
const AWAITED_MS = 1_000;
/** A rest takes a quarter of the time for which the chain has been idle, between bounds. */
const IDLE_SHARE = 4;

/** Milliseconds. */
export interface RestBounds {
  readonly least: number;
  readonly most: number;
}

export interface IdleChains {
  /**
   * For how many milliseconds the chain has been idle, or all chains of this process for null. Null where it is in use, or
   * where that is not known. The answer may be three seconds old.
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
  readonly world: World;
  readonly log: Pick<Log, 'warn'>;
}

type IdleChain = Pick<ChainDefinition, 'name' | 'family'>;

export function createIdleChains(parts: IdleParts, chains: readonly IdleChain[]): IdleChains {
  return new Looks(parts, chains);
}

class Looks implements IdleChains {
  readonly #parts: IdleParts;
  readonly #chains: readonly IdleChain[];
  readonly #idleSinceMs = new Map<string, number>();
  #lookedAtMs = -Infinity;
  #looking: { readonly sinceMs: number; readonly ended: Promise<true> } | null = null;

  constructor(parts: IdleParts, chains: readonly IdleChain[]) {
    this.#parts = parts;
    this.#chains = chains;
  }

  async idleMs(chain: string | null): Promise<number | null> {
    if (!(await this.#isKnown())) return null;
    const nowMs = this.#parts.world.nowMs();
    const asked = chain === null ? this.#chains.map(({ name }) => name) : [chain];
    let leastMs = Infinity;
    for (const name of asked) {
      const sinceMs = this.#idleSinceMs.get(name);
      if (sinceMs === undefined) return null;
      leastMs = Math.min(leastMs, Math.abs(nowMs - sinceMs));
    }
    return leastMs;
  }

  async rest(chain: string | null, { least, most }: RestBounds, signal: AbortSignal): Promise<boolean> {
    const { world } = this.#parts;
    const startedMs = world.nowMs();
    const idle = await this.idleMs(chain);
    if (idle === null) return false;
    const restMs = Math.max(least, Math.min(most, idle / IDLE_SHARE));
    const leftMs = () => restMs - Math.abs(world.nowMs() - startedMs);
    // Everyone who rests wakes when the next look is due, and the first of them makes it for all.
    do await world.sleep(Math.max(0, Math.min(leftMs(), LOOK_EVERY_MS - this.#ageMs())), signal);
    while (!signal.aborted && leftMs() > 0 && (await this.idleMs(chain)) !== null);
    return true;
  }

  /** Distances count in both directions: a clock that was set back must not make a look last. */
  #ageMs(): number {
    return Math.abs(this.#parts.world.nowMs() - this.#lookedAtMs);
  }

  /** Looks where the last look is too old. False where the look takes long. */
  async #isKnown(): Promise<boolean> {
    const { world } = this.#parts;
    const nowMs = world.nowMs();
    if (this.#ageMs() < LOOK_EVERY_MS) return true;
    this.#looking ??= { sinceMs: nowMs, ended: this.#look(nowMs) };
    const leftMs = AWAITED_MS - Math.abs(nowMs - this.#looking.sinceMs);
    return leftMs > 0 && (await within(world, leftMs, this.#looking.ended)) === true;
  }

  async #look(sinceMs: number): Promise<true> {
    const { reader, world, log } = this.#parts;
    const inUse = await readChainsInUse(reader, this.#chains, sinceMs).catch((error: unknown) => {
      // An error of this query must not stop a role. A chain of which nothing is known counts as in use.
      log.warn({ error }, 'which chains are idle is not known');
      return null;
    });
    // What a late look has found may be old by now.
    const isLate = Math.abs(world.nowMs() - sinceMs) >= AWAITED_MS;
    for (const { name } of this.#chains) {
      if (inUse === null || isLate || inUse.has(name)) this.#idleSinceMs.delete(name);
      else if (!this.#idleSinceMs.has(name)) this.#idleSinceMs.set(name, sinceMs);
    }
    [this.#lookedAtMs, this.#looking] = [world.nowMs(), null];
    return true;
  }
}
