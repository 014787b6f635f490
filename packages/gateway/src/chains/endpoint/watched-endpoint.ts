// What every endpoint of any chain is like: proved to be on its chain before it is used, watched while it is.
import type { World } from '../../world.ts';
import type { EndpointHealth } from '../port.ts';
import { Outage } from '../../outage.ts';
import { BehindHead } from './behind-head.ts';
import { Breaker } from './breaker.ts';
import { LyingNode } from './lying-node.ts';
import { Throttled } from './throttled.ts';
import { Unanswerable } from './unanswerable.ts';

export interface WatchedEndpointOptions {
  /** What the endpoint is called in messages; never the URL, which may carry a key. */
  readonly name: string;
  readonly blockTimeMs: number;
  readonly world: World;
}

const shortestStallMs = 15_000;
const stallBlocks = 10;

export abstract class WatchedEndpoint {
  readonly name: string;
  readonly #blockTimeMs: number;
  readonly #world: World;
  readonly #breaker = new Breaker();
  #identity: Promise<void> | null = null;
  #head = -1;
  #headSinceMs = 0;
  #lastError: string | null = null;

  constructor({ name, blockTimeMs, world }: WatchedEndpointOptions) {
    this.name = name;
    this.#blockTimeMs = blockTimeMs;
    this.#world = world;
  }

  /** The height of the newest block that the node has. */
  protected abstract tellHead(): Promise<number>;
  /** Throws LyingNode where the node is on another chain. */
  protected abstract checkIdentity(): Promise<void>;

  /** Whether it has told the same head for longer than blocks take. */
  get standsStill(): boolean {
    const patienceMs = Math.max(shortestStallMs, this.#blockTimeMs * stallBlocks);
    return this.#world.nowMs() - this.#headSinceMs >= patienceMs;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  get available(): boolean {
    return this.#breaker.admits(this.#world.nowMs());
  }

  health(): EndpointHealth {
    return {
      endpoint: this.name,
      healthy: !this.#breaker.open,
      lastError: this.#lastError,
    };
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
      if (!this.#breaker.open) this.#lastError = null;
      return value;
    } catch (error) {
      const outage = error instanceof Outage ? error : unexpected(error);
      if (outage instanceof BehindHead || outage instanceof Unanswerable) this.#breaker.leave();
      else this.#failed(outage);
      throw outage;
    }
  }

  /** The head as it is told now, whatever was told before: a height proves nothing, so none is kept. */
  async askHead(): Promise<number> {
    const told = await this.tellHead();
    if (told !== this.#head) {
      this.#head = told;
      this.#headSinceMs = this.#world.nowMs();
    }
    return told;
  }

  #failed(error: Outage): void {
    this.#lastError = error.message;
    this.#identity = null;
    this.#breaker.failed(this.#world.nowMs(), error instanceof LyingNode || error instanceof Throttled);
  }

  /** Checked at the first use and again after every failure, as what answers then may be another node. */
  #onChain(): Promise<void> {
    this.#identity ??= this.checkIdentity();
    return this.#identity;
  }
}

function unexpected(error: unknown): LyingNode {
  return new LyingNode('answered with something that could not be read', error);
}
