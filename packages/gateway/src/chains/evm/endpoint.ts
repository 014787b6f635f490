// One RPC endpoint of a chain: proved to be on that chain before it is used, watched while it is.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../world.ts';
import type { EndpointHealth } from '../port.ts';
import { Outage } from '../../outage.ts';
import { Breaker } from './breaker.ts';
import type { Lane } from './lane.ts';
import { LyingNode } from './lying-node.ts';
import { headerAnswer, quantityAnswer } from './raw-block.ts';
import type { Rpc } from './rpc.ts';
import { TooMuch } from './too-much.ts';
import { Unanswerable } from './unanswerable.ts';

/** The endpoint does not have the block yet, and says so: nobody's failure. */
export class BehindHead extends Outage {
  constructor(block: number | string) {
    super(`does not have block ${block} yet`, { retryable: true });
  }
}

/** How a block is read: whole, or in parts and with a higher limit for each answer. */
export interface Reading {
  readonly rpc: Rpc;
  readonly inParts: boolean;
}

export interface EndpointOptions {
  readonly rpc: Rpc;
  /** The same node with a higher limit for an answer, used by one reader at a time. */
  readonly wideRpc: Rpc;
  /** Shared by the endpoints of a chain. */
  readonly wideLane: Lane;
  readonly definition: ChainDefinition;
  readonly world: World;
}

const shortestStallMs = 15_000;
const stallBlocks = 10;

export class Endpoint {
  readonly rpc: Rpc;
  readonly #wideRpc: Rpc;
  readonly #wideLane: Lane;
  readonly #definition: ChainDefinition;
  readonly #world: World;
  readonly #breaker = new Breaker();
  #identity: Promise<void> | null = null;
  #head = -1;
  #headSinceMs = 0;
  #lastError: string | null = null;

  constructor({ rpc, wideRpc, wideLane, definition, world }: EndpointOptions) {
    this.rpc = rpc;
    this.#wideRpc = wideRpc;
    this.#wideLane = wideLane;
    this.#definition = definition;
    this.#world = world;
  }

  get name(): string {
    return this.rpc.name;
  }

  /** Whether it has told the same head for longer than blocks take. */
  get standsStill(): boolean {
    const patienceMs = Math.max(shortestStallMs, this.#definition.blockTimeMs * stallBlocks);
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
  async run<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<T> {
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

  /**
   * Reads of a block: whole and beside other reads, or where that is too much, in parts and alone, so that what
   * payers put into blocks neither fills the memory nor stops the reading.
   */
  async read<T>(work: (reading: Reading) => Promise<T>): Promise<T> {
    try {
      return await work({ rpc: this.rpc, inParts: false });
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      // A node that is gone is found out here, before it takes the place of one that only has much to say.
      await this.askHead();
      return this.#wideLane(() => work({ rpc: this.#wideRpc, inParts: true }));
    }
  }

  /** The head as it is told now, whatever was told before: a height proves nothing, so none is kept. */
  async askHead(): Promise<number> {
    const told = quantityAnswer(await this.rpc.call('eth_blockNumber', []));
    if (told !== this.#head) {
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
    if (told !== chainId) {
      throw new LyingNode(`is on the wrong chain: its chain id is ${told}, ${chainId} is wanted`);
    }
    if (genesisHash === null) return;
    const genesis = headerAnswer(await this.rpc.call('eth_getBlockByNumber', ['0x0', false]));
    if (genesis === null) throw new LyingNode('has no block 0, so its chain cannot be known');
    const hash = genesis.hash.toLowerCase();
    if (hash !== genesisHash.toLowerCase()) {
      throw new LyingNode(`is on the wrong chain: its block 0 is ${hash}, ${genesisHash} is wanted`);
    }
  }
}

function unexpected(error: unknown): LyingNode {
  return new LyingNode('answered with something that could not be read', error);
}
