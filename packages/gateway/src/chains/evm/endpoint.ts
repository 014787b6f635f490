// One RPC endpoint of a chain: proved to be on that chain before it is used, watched while it is.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../world.ts';
import type { EndpointHealth } from '../port.ts';
import { Outage } from '../../outage.ts';
import { Breaker } from './breaker.ts';
import { LyingNode } from './lying-node.ts';
import { headerAnswer, quantityAnswer } from './raw-block.ts';
import type { Rpc } from './rpc.ts';

/** The endpoint does not have the block yet, and says so: nobody's failure. */
export class BehindHead extends Outage {
  constructor(number: number) {
    super(`does not have block ${number} yet`, { retryable: true });
  }
}

export class Endpoint {
  readonly rpc: Rpc;
  readonly #definition: ChainDefinition;
  readonly #world: World;
  readonly #breaker = new Breaker();
  #identity: Promise<void> | null = null;
  #refused = false;
  #head = -1;
  #headSinceMs = 0;
  #lastError: string | null = null;

  constructor(rpc: Rpc, definition: ChainDefinition, world: World) {
    this.rpc = rpc;
    this.#definition = definition;
    this.#world = world;
  }

  get name(): string {
    return this.rpc.name;
  }

  /** Whether it was found to be on another chain, which no retry mends. */
  get refused(): boolean {
    return this.#refused;
  }

  /** The highest head it ever told, -1 before the first. */
  get head(): number {
    return this.#head;
  }

  /** How long its head has been the same. */
  get headAgeMs(): number {
    return this.#world.nowMs() - this.#headSinceMs;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  get available(): boolean {
    return !this.#refused && this.#breaker.admits(this.#world.nowMs());
  }

  health(): EndpointHealth {
    return {
      endpoint: this.name,
      healthy: !this.#refused && !this.#breaker.open,
      lastError: this.#lastError,
    };
  }

  /** Runs work against the endpoint and keeps the score. Throws what the work throws. */
  async run<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    this.#breaker.enter();
    try {
      await this.#onChain();
      const value = await work(this);
      this.#breaker.succeeded(this.#world.nowMs());
      if (!this.#breaker.open) this.#lastError = null;
      return value;
    } catch (error) {
      if (error instanceof Outage && !(error instanceof BehindHead)) this.#failed(error);
      else this.#breaker.leave();
      throw error;
    }
  }

  /** The head as it is told now. Where it went backwards, `head` keeps the higher one. */
  async askHead(): Promise<number> {
    const told = quantityAnswer(await this.rpc.call('eth_blockNumber', []));
    if (told > this.#head) {
      this.#head = told;
      this.#headSinceMs = this.#world.nowMs();
    }
    return told;
  }

  #failed(error: Outage): void {
    this.#lastError = error.message;
    this.#identity = null;
    this.#breaker.failed(this.#world.nowMs(), error instanceof LyingNode);
  }

  /** Checked at the first use and again after every failure, as what answers then may be another node. */
  #onChain(): Promise<void> {
    this.#identity ??= this.#checkIdentity();
    return this.#identity;
  }

  async #checkIdentity(): Promise<void> {
    const { chainId, genesisHash } = this.#definition;
    const told = quantityAnswer(await this.rpc.call('eth_chainId', []));
    if (told !== chainId)
      this.#refuse(`is on the wrong chain: its chain id is ${told}, ${chainId} is wanted`);
    if (genesisHash === null) return;
    const genesis = headerAnswer(await this.rpc.call('eth_getBlockByNumber', ['0x0', false]));
    if (genesis === null) throw new LyingNode('has no block 0, so its chain cannot be known');
    const hash = genesis.hash.toLowerCase();
    if (hash !== genesisHash.toLowerCase()) {
      this.#refuse(`is on the wrong chain: its block 0 is ${hash}, ${genesisHash} is wanted`);
    }
  }

  #refuse(reason: string): never {
    this.#refused = true;
    throw new Outage(reason, { retryable: false });
  }
}
