// What every endpoint of any chain is like: proved to be on its chain before it is used, watched while it is.
import type { World } from '../../runtime/world.ts';
import type { EndpointHealth } from '../port.ts';
import { Outage } from '../../runtime/outage.ts';
import { AstrayWatch, type Proof } from './astray-watch.ts';
import { BehindHead } from './behind-head.ts';
import { Breaker, type Fault } from './breaker.ts';
import { FinalityWatch } from './finality-watch.ts';
import { HeadWatch } from './head-watch.ts';
import { LyingNode } from './lying-node.ts';
import { SlowWatch } from './slow-watch.ts';
import { Throttled } from './throttled.ts';
import { ToldBlocks } from './told-blocks.ts';
import { Unanswerable } from './unanswerable.ts';
import { UnreadableBlock } from './unreadable-block.ts';
import { Untimely } from './untimely.ts';

export interface WatchedEndpointOptions {
  /** What the endpoint is called in messages; never the URL, which may carry a key. */
  readonly name: string;
  readonly blockTimeMs: number;
  readonly world: World;
}

const shortestStallMs = 15_000;
const shortestFinalityStallMs = 60_000;
const finalityStallBlocks = 20;
const stallBlocks = 10;
/** Of the sixteen blocks that are read at the same time, each with all the waiting for the others. */
const slowMs = 10_000;
/** Nobody is done without for less, however fast the chain is. */
const shortestLongMs = 1_000;
/**
 * What an endpoint is asked for that everything waits for, and what it may take of it where others are sooner, in blocks:
 * one step does all three one after the other, while its sixteen blocks are made.
 */
const longBlocks = { 'a block': 8, 'its head': 4, 'what is final': 4 } as const;
export type Timed = keyof typeof longBlocks;
const timed = Object.keys(longBlocks) as readonly Timed[];

export abstract class WatchedEndpoint {
  readonly name: string;
  readonly #world: World;
  readonly #breaker = new Breaker();
  #identity: Promise<void> | null = null;
  #lastOutage: Outage | null = null;
  readonly #finality: FinalityWatch;
  readonly #heads: HeadWatch;
  readonly #astray = new AstrayWatch();
  /** What was read of it lately and shown to the books. */
  readonly toldBlocks = new ToldBlocks();
  readonly #slow: ReadonlyMap<Timed, SlowWatch>;

  constructor({ name, blockTimeMs, world }: WatchedEndpointOptions) {
    this.name = name;
    this.#world = world;
    const longMs = (what: Timed): number =>
      Math.min(slowMs, Math.max(shortestLongMs, longBlocks[what] * blockTimeMs));
    this.#slow = new Map(timed.map((what) => [what, new SlowWatch(slowMs, what, longMs(what))]));
    this.#heads = new HeadWatch(Math.max(shortestStallMs, blockTimeMs * stallBlocks), blockTimeMs);
    this.#finality = new FinalityWatch(Math.max(shortestFinalityStallMs, blockTimeMs * finalityStallBlocks));
  }

  /** The height of the newest block that the node has. */
  protected abstract tellHead(): Promise<number>;
  /** Throws LyingNode where the node is on another chain. */
  protected abstract checkIdentity(): Promise<void>;

  /** Whether it has told nothing above its highest head for longer than blocks take. */
  get standsStill(): boolean {
    return this.#heads.standsStill(this.#world.nowMs());
  }

  /** Its head as it was told last, and how long ago; -1 before. */
  get lastHead(): { readonly height: number; readonly ageMs: number } {
    return { height: this.#heads.told, ageMs: this.#heads.ageMs(this.#world.nowMs()) };
  }

  /** How many blocks an endpoint that keeps up is below another one at the most. */
  get farBlocks(): number {
    return this.#heads.farBlocks;
  }

  /** Whether it is further below that height than one that keeps up. */
  isFarBelow(height: number): boolean {
    return this.#heads.isFarBelow(height);
  }

  /** How far the chain is by what others tell, which is said of it where it is far below for long. */
  noteChainHead(height: number): void {
    this.#heads.compare(this.#world.nowMs(), height);
  }

  /** Why it failed last, null where it answers. */
  get lastOutage(): Outage | null {
    return this.#lastOutage;
  }

  get available(): boolean {
    return this.#breaker.admits(this.#world.nowMs());
  }

  health(): EndpointHealth {
    const last = this.#lastOutage?.message ?? null;
    const nowMs = this.#world.nowMs();
    const [slow = null] = [...this.#slow.values()].flatMap((watch) => watch.trouble(nowMs) ?? []);
    const stall = this.#astray.trouble(nowMs) ?? this.#finality.stall() ?? this.#heads.trouble(nowMs) ?? slow;
    const { open } = this.#breaker;
    return {
      endpoint: this.name,
      healthy: !open && stall === null,
      lastError: open ? last : (stall ?? last),
    };
  }

  /** What it called final just now, and the most that it or another endpoint has called so. */
  noteFinality(height: number, highest: number): void {
    this.#finality.note(this.#world.nowMs(), { height, highest, head: this.#heads.told });
  }

  /** Whether others settle without it what it would hold up: it is asked last, and only where they do not. */
  get isSpare(): boolean {
    const nowMs = this.#world.nowMs();
    return this.#astray.isAside(nowMs) || [...this.#slow.values()].some((watch) => watch.isSpare(nowMs));
  }

  /** How long it took to tell that, and whether others settled the same without it and sooner. */
  noteTime(what: Timed, tookMs: number, isSpare: () => boolean): void {
    this.#slow.get(what)?.note(this.#world.nowMs(), tookMs, isSpare);
  }

  /** Whether it took so long for that that others should do it without this one, if they are sooner. */
  isLong(what: Timed, tookMs: number): boolean {
    return this.#slow.get(what)?.isLong(tookMs) ?? false;
  }

  /** How long it takes from now on, in milliseconds, without what we ourselves hold back. */
  startTiming(): () => number {
    const countMs = (): number => this.#world.nowMs() - this.heldBackMs();
    const fromMs = countMs();
    return () => countMs() - fromMs;
  }

  /** For how long questions to it were held back by our own pace so far. */
  protected heldBackMs(): number {
    return 0;
  }

  /** Takes it out of use for what it told, found out only after it told it. */
  distrust(lie: Outage): void {
    this.#lastOutage = lie;
    this.#identity = null;
    this.#breaker.failed(this.#world.nowMs(), 'lied');
  }

  /** Takes it out of use until it proves that it is back on the chain, and asks it last for an hour from now. */
  putAside(lie: Outage, proof: Proof): void {
    this.#astray.noteAstray(this.#world.nowMs(), lie.message, proof);
    this.distrust(lie);
  }

  /** It told what was not on the chain, and may be back: where that comes again and again it is asked last for an hour. */
  noteShift(lie: Outage): void {
    this.#astray.noteShift(this.#world.nowMs(), lie.message);
  }

  /**
   * Runs work against the endpoint and keeps the score. Throws the Outage that the work throws; anything else
   * that goes wrong does so by what the node said, so it is a lie and never a bug of ours.
   */
  async run<T>(work: (endpoint: this) => Promise<T>): Promise<T> {
    this.#breaker.enter();
    try {
      await this.#onChain();
      const value = await work(this);
      this.#breaker.succeeded(this.#world.nowMs());
      if (!this.#breaker.open) this.#lastOutage = null;
      return value;
    } catch (error) {
      const outage = error instanceof Outage ? error : unexpected(error);
      if (isNoFault(outage)) this.#breaker.leave();
      else this.#failed(outage);
      throw outage;
    }
  }

  /**
   * Runs work beside the reading of blocks: it is done on a proven chain too, and says nothing about whether blocks
   * can be read from here, unless it is a lie. Throws as `run`.
   */
  async runBeside<T>(work: (endpoint: this) => Promise<T>): Promise<T> {
    try {
      await this.#onChain();
      return await work(this);
    } catch (error) {
      const outage = error instanceof Outage ? error : unexpected(error);
      if (outage instanceof LyingNode) this.#failed(outage);
      throw outage;
    }
  }

  /** The head as it is told now, whatever was told before: a height proves nothing, so none is kept. */
  async askHead(): Promise<number> {
    const told = await this.tellHead();
    this.#heads.note(this.#world.nowMs(), told);
    return told;
  }

  #failed(error: Outage): void {
    this.#lastOutage = error;
    this.#identity = null;
    const askedMs = error instanceof Throttled ? error.retryAfterMs : null;
    this.#breaker.failed(this.#world.nowMs(), faultOf(error), askedMs);
  }

  /** Checked at the first use and again after every failure, as what answers then may be another node. */
  #onChain(): Promise<void> {
    if (this.#identity === null) {
      const checked = this.checkIdentity().then(() => this.#astray.prove());
      this.#identity = checked;
      checked.catch(() => {
        if (this.#identity === checked) this.#identity = null;
      });
    }
    return this.#identity;
  }
}

const noFaults = [BehindHead, Unanswerable, UnreadableBlock, Untimely];

function isNoFault(outage: Outage): boolean {
  return noFaults.some((kind) => outage instanceof kind);
}

function faultOf(outage: Outage): Fault {
  if (outage instanceof LyingNode) return 'lied';
  return outage instanceof Throttled ? 'throttled' : 'failed';
}

function unexpected(error: unknown): LyingNode {
  return new LyingNode('answered with something that could not be read', error);
}
