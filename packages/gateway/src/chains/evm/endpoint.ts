// One RPC endpoint of a chain: proved to be on that chain before it is used, watched while it is.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../runtime/world.ts';
import type { EndpointHealth } from '../port.ts';
import { inTurn } from '../endpoint/in-turn.ts';
import { createLane } from '../endpoint/lane.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { headerAnswer, quantityAnswer } from './raw-block.ts';
import { ReadingTime, traceTimeoutMs } from './reading-time.ts';
import type { Rpc } from './rpc.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { TraceNotes } from './trace-notes.ts';
import { WatchedEndpoint } from '../endpoint/watched-endpoint.ts';

/** How a block is read: whole, or in parts and with a higher limit for each answer. */
export interface Reading {
  readonly rpc: Rpc;
  readonly inParts: boolean;
}

export interface EndpointOptions {
  readonly name: string;
  /** The node, with those limits for an answer. */
  readonly rpcOf: (maxBodyBytes: number, timeoutMs?: number) => Rpc;
  readonly definition: ChainDefinition;
  readonly world: World;
}

// Sixteen blocks are read at the same time, so an answer has a lower limit beside others than alone.
const maxBodyBytes = 16 * 1024 * 1024;
const maxWideBodyBytes = 64 * 1024 * 1024;
// An ordinary trace takes 5 to 40 KB. A payer makes hundreds of megabytes for a few cents, and such a one is asked apart.
const maxTraceBytes = 64 * 1024;
const maxLargeTraceBytes = 4 * 1024 * 1024;

export class Endpoint extends WatchedEndpoint {
  readonly rpc: Rpc;
  /** For the traces of a whole block. */
  readonly blockTraceRpc: Rpc;
  /** For the trace of one transaction, as most are. */
  readonly traceRpc: Rpc;
  /** For one that is larger, asked one at a time. */
  readonly largeTraceRpc: Rpc;
  readonly traces: TraceNotes;
  readonly #wideRpc: Rpc;
  readonly #lane = createLane();
  readonly #definition: ChainDefinition;
  readonly #world: World;

  constructor({ name, rpcOf, definition, world }: EndpointOptions) {
    super({ name, blockTimeMs: definition.blockTimeMs, world });
    this.rpc = rpcOf(maxBodyBytes);
    const traceMs = traceTimeoutMs(definition.blockTimeMs);
    this.blockTraceRpc = rpcOf(maxBodyBytes, traceMs);
    this.traceRpc = rpcOf(maxTraceBytes, traceMs);
    this.largeTraceRpc = rpcOf(maxLargeTraceBytes, traceMs);
    this.traces = new TraceNotes(world, definition.blockTimeMs);
    this.#wideRpc = rpcOf(maxWideBodyBytes);
    this.#definition = definition;
    this.#world = world;
  }

  /** The time that it has for one block, from now on. */
  startReading(): ReadingTime {
    return new ReadingTime(this.#world, this.#definition.blockTimeMs);
  }

  /**
   * Reads of a block: whole and beside other reads, or where that is too much, in parts and alone, so that what
   * payers put into blocks neither fills the memory nor stops the reading.
   */
  async read<T>(time: ReadingTime, work: (reading: Reading) => Promise<T>): Promise<T> {
    try {
      return await work({ rpc: time.limit(this.rpc), inParts: false });
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      // A node that is gone is found out here, before it takes the place of one that only has much to say.
      await this.askHead();
      return this.inTurn(time, () => work({ rpc: time.limit(this.#wideRpc), inParts: true }));
    }
  }

  /** Runs work for one block when that for others has ended. Throws as the endpoints' `inTurn`. */
  inTurn<T>(time: ReadingTime, work: () => Promise<T>): Promise<T> {
    const goOn = time.pause();
    return inTurn(this, this.#lane, () => {
      goOn();
      return work();
    });
  }

  override health(): EndpointHealth {
    const known = super.health();
    const { trouble } = this.traces;
    return trouble === null || !known.healthy ? known : { ...known, healthy: false, lastError: trouble };
  }

  protected async tellHead(): Promise<number> {
    return quantityAnswer(await this.rpc.call('eth_blockNumber', []));
  }

  protected async checkIdentity(): Promise<void> {
    const { chainId, genesisHash } = this.#definition;
    const told = quantityAnswer(await this.rpc.call('eth_chainId', []));
    if (told !== chainId) {
      const reason = `is on the wrong chain: its chain id is ${told}, ${chainId} is wanted`;
      throw new LyingNode(reason, undefined, 'wrong-chain');
    }
    if (genesisHash === null) return;
    const genesis = headerAnswer(await this.rpc.call('eth_getBlockByNumber', ['0x0', false]));
    if (genesis === null) throw new LyingNode('has no block 0, so its chain cannot be known');
    const hash = genesis.hash.toLowerCase();
    if (hash !== genesisHash.toLowerCase()) {
      const reason = `is on the wrong chain: its block 0 is ${hash}, ${genesisHash} is wanted`;
      throw new LyingNode(reason, undefined, 'wrong-chain');
    }
  }
}
