// One endpoint of a Tron chain: two views of the same node, proved to be on that chain before they are used.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../world.ts';
import { Outage } from '../../outage.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { WatchedEndpoint } from '../endpoint/watched-endpoint.ts';
import { provenHeader, type ProvenHeader } from './block-header.ts';
import type { NodeApi } from './node-api.ts';

export interface TronEndpointOptions {
  readonly name: string;
  readonly full: NodeApi;
  readonly solid: NodeApi;
  readonly definition: ChainDefinition;
  readonly world: World;
}

const chainIdDigits = 8;

export class TronEndpoint extends WatchedEndpoint {
  /** All that the node knows, up to its head. */
  readonly full: NodeApi;
  /** Only what 19 of 27 representatives have built on. */
  readonly solid: NodeApi;
  /** Whether it has ever shown an internal transaction, which nodes keep only where they are told to. */
  showsInternal = false;
  readonly #definition: ChainDefinition;

  constructor({ name, full, solid, definition, world }: TronEndpointOptions) {
    super({ name, blockTimeMs: definition.blockTimeMs, world });
    this.full = full;
    this.solid = solid;
    this.#definition = definition;
  }

  protected async tellHead(): Promise<number> {
    return (await newestHeader(this.full)).header.number;
  }

  /** Height of the newest block that cannot change any more. */
  async askSolidHead(): Promise<number> {
    return (await newestHeader(this.solid)).header.number;
  }

  protected async checkIdentity(): Promise<void> {
    const { chainId, genesisHash } = this.#definition;
    for (const api of [this.full, this.solid]) {
      const genesis = await headerAt(api, 0);
      if (genesis === null) throw new LyingNode('has no block 0, so its chain cannot be known');
      const { hash } = genesis.header;
      const told = Number.parseInt(hash.slice(-chainIdDigits), 16);
      if (told !== chainId)
        throw new LyingNode(`is on the wrong chain: its chain id is ${told}, ${chainId} is wanted`);
      if (genesisHash !== null && hash !== genesisHash.toLowerCase().replace(/^0x/, ''))
        throw new LyingNode(`is on the wrong chain: its block 0 is ${hash}, ${genesisHash} is wanted`);
    }
  }
}

/** The header at a height, null where this view has none there. Throws LyingNode where it is another one's. */
export async function headerAt(api: NodeApi, number: number): Promise<ProvenHeader | null> {
  const proven = provenHeader(await api('getblock', { id_or_num: String(number), detail: false }));
  if (proven !== null && proven.header.number !== number)
    throw new LyingNode(`answered with another block than ${number}`);
  return proven;
}

async function newestHeader(api: NodeApi): Promise<ProvenHeader> {
  const proven = provenHeader(await api('getblock', { detail: false }));
  if (proven === null) throw new LyingNode('has no newest block');
  return proven;
}

/** What a missing block means: the view is behind and says so, or it contradicts itself. */
export async function missing(
  endpoint: TronEndpoint,
  view: 'full' | 'solid',
  number: number,
): Promise<Outage> {
  const head = view === 'full' ? await endpoint.askHead() : await endpoint.askSolidHead();
  if (head < number) return new BehindHead(number);
  return new Outage(`tells head ${head} but has no block ${number}`, { retryable: true });
}
