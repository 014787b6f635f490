// One RPC endpoint of a chain: proved to be on that chain before it is used, watched while it is.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../world.ts';
import type { Lane } from '../endpoint/lane.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { headerAnswer, quantityAnswer } from './raw-block.ts';
import type { Rpc } from './rpc.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { WatchedEndpoint } from '../endpoint/watched-endpoint.ts';

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

export class Endpoint extends WatchedEndpoint {
  readonly rpc: Rpc;
  readonly #wideRpc: Rpc;
  readonly #wideLane: Lane;
  readonly #definition: ChainDefinition;

  constructor({ rpc, wideRpc, wideLane, definition, world }: EndpointOptions) {
    super({ name: rpc.name, blockTimeMs: definition.blockTimeMs, world });
    this.rpc = rpc;
    this.#wideRpc = wideRpc;
    this.#wideLane = wideLane;
    this.#definition = definition;
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
