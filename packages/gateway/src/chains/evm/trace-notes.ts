// What is known of the traces of one endpoint: which are too much, which it did not tell, and what it told of blocks so far.
import type { World } from '../../runtime/world.ts';
import { longPatienceMs, Patience, shortPatienceMs } from '../endpoint/patience.ts';
import type { Movement } from './movement.ts';

/** By the place of the transaction; null where it is too much. */
export type ToldSoFar = ReadonlyMap<number, readonly Movement[] | null>;

const maxTooMuch = 4_096;
const maxLarge = 32_768;
/**
 * As many as the gas of as many blocks as are read at the same time pays for, where those have 43 million each. Of larger
 * ones that are full of such transactions, those are forgotten first that were not asked for again for longest.
 */
const maxUntold = 32_768;
const maxInVain = 4_096;
/** As many blocks as are read at the same time. */
const maxBegun = 16;
/** In all of them: more than the gas of one block pays for, and 26 MB. */
const maxMovements = 100_000;
/** Most nodes keep the state of 128 blocks, and what is passed before it is gone needs no other node. */
const patienceBlocks = 64;
/** Longer than an endpoint is left alone that wants to be asked less often, unless it asks for more. */
const soonMs = 120_000;
/** Who has not been asked again for so long is not known to be in trouble any more. */
const troubleMs = 600_000;

/** A block that is waited for. */
interface Begun {
  readonly told: ToldSoFar;
  /** With what was told after the block was seen last. */
  readonly unseen: ToldSoFar;
  readonly atMs: number;
  readonly isWholeNext: boolean;
}

export class TraceNotes {
  /** For how long a transaction was not told, by its id. */
  readonly patience: Patience;
  readonly #world: World;
  #lastTraced: string | null = null;
  #trouble: string | null = null;
  #troubleAtMs = 0;
  /** Of transactions and of whole blocks. */
  readonly #tooMuch = new Set<string>();
  /** Of transactions that are more than ordinary ones. */
  readonly #large = new Set<string>();
  /** Those that were asked first of their block, and not told. */
  readonly #inVain = new Map<string, number>();
  #inVainCount = 0;
  readonly #begun = new Map<string, Begun>();

  constructor(world: World, blockTimeMs: number) {
    const longMs = Math.min(longPatienceMs, Math.max(shortPatienceMs, patienceBlocks * blockTimeMs));
    this.patience = new Patience(world, maxUntold, longMs);
    this.#world = world;
  }

  /** The transaction that it traced last, which it can trace again unless it traces nothing. */
  get lastTraced(): string | null {
    return this.#lastTraced;
  }

  noteTraced(id: string): void {
    this.#lastTraced = id;
    this.#trouble = null;
  }

  /** It traces nothing, and said that. */
  noteNothing(said: string): void {
    this.#trouble = said;
    this.#troubleAtMs = this.#world.nowMs();
  }

  /** What it said last where it traces nothing; null where it does, or nobody has asked it for long. */
  get trouble(): string | null {
    return Math.abs(this.#world.nowMs() - this.#troubleAtMs) < troubleMs ? this.#trouble : null;
  }

  /** Whether what it answered for that whole block, or transaction of it, was counted to be too much. */
  isTooMuch(hash: string, id?: string): boolean {
    return this.#tooMuch.has(keyOf(hash, id));
  }

  noteTooMuch(hash: string, id?: string): void {
    keep(this.#tooMuch, keyOf(hash, id), maxTooMuch);
  }

  /** Whether what it answered for that transaction was counted to be more than an ordinary one. */
  isLarge(hash: string, id: string): boolean {
    return this.#large.has(keyOf(hash, id));
  }

  noteLarge(hash: string, id: string): void {
    keep(this.#large, keyOf(hash, id), maxLarge);
  }

  /** How lately that one was asked first of its block, and in vain; 0 where it was not. */
  inVain(hash: string, id: string): number {
    return this.#inVain.get(keyOf(hash, id)) ?? 0;
  }

  noteInVain(hash: string, id: string): void {
    const key = keyOf(hash, id);
    this.#inVain.delete(key);
    this.#inVain.set(key, ++this.#inVainCount);
    const [oldest] = this.#inVain.keys();
    if (this.#inVain.size > maxInVain && oldest !== undefined) this.#inVain.delete(oldest);
  }

  /**
   * What it told of a block that it has not told all of, and that was seen there just now; null where it is not waited for.
   */
  begun(hash: string): ToldSoFar | null {
    const begun = this.#begun.get(hash);
    if (begun === undefined) return null;
    const isSoon = Math.abs(this.#world.nowMs() - begun.atMs) <= soonMs;
    return isSoon ? begun.unseen : begun.told;
  }

  /** Whether the next asking is for the whole block, or for the rest of it one by one. */
  isWholeNext(hash: string): boolean {
    return !this.isTooMuch(hash) && this.#begun.get(hash)?.isWholeNext !== false;
  }

  askWholeNext(hash: string): void {
    const begun = this.#begun.get(hash);
    if (begun !== undefined) this.#begun.set(hash, { ...begun, isWholeNext: true });
  }

  /**
   * The rest is asked for the next time. `unseen` is what counts where the block is seen there again soon.
   */
  begin(hash: string, told: ToldSoFar, unseen = told): void {
    this.#begun.delete(hash);
    const atMs = this.#world.nowMs();
    this.#begun.set(hash, { told: new Map(told), unseen: new Map(unseen), atMs, isWholeNext: false });
    let movements = [...this.#begun.values()].reduce((sum, one) => sum + movementsIn(one.unseen), 0);
    for (const [oldest, one] of this.#begun) {
      if (oldest === hash || (this.#begun.size <= maxBegun && movements <= maxMovements)) break;
      this.#begun.delete(oldest);
      movements -= movementsIn(one.unseen);
    }
  }

  /** All of it was told: should it be read again, nothing is believed for having been told before. */
  end(hash: string): void {
    this.#begun.delete(hash);
  }
}

/** The newest ones. */
function keep(kept: Set<string>, key: string, most: number): void {
  kept.add(key);
  const [oldest] = kept;
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}

function movementsIn(told: ToldSoFar): number {
  let count = 0;
  for (const movements of told.values()) count += movements?.length ?? 0;
  return count;
}

/** A transaction can be in another block after a fork, and do something else there. */
function keyOf(hash: string, id?: string): string {
  return id === undefined ? hash : `${hash} ${id}`;
}
