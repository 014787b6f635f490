// One endpoint of a Tron chain: two views of the same node, proved to be on that chain before they are used.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../runtime/world.ts';
import { Outage } from '../../runtime/outage.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { inTurn } from '../endpoint/in-turn.ts';
import { createLane, type Lane } from '../endpoint/lane.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { NeedsRoom } from '../endpoint/needs-room.ts';
import { WatchedEndpoint } from '../endpoint/watched-endpoint.ts';
import { provenHeader, type ProvenHeader } from './block-header.ts';
import type { HeldBack } from './held-back.ts';
import type { NodeApi } from './node-api.ts';
import { ProvenBodies } from './proven-bodies.ts';
import { UnshownBlocks } from './unshown-blocks.ts';

export type View = 'full' | 'solid';

export interface TronEndpointOptions {
  readonly name: string;
  readonly full: NodeApi;
  readonly solid: NodeApi;
  /** The same two views, which take larger answers; the same unless given. */
  readonly wide?: Readonly<Record<View, NodeApi>>;
  /** The same two views, asked so slowly that the reading of blocks does not wait for it. */
  readonly unhurried: Readonly<Record<View, NodeApi>>;
  /** Counts what the pace of the first four holds back; nothing does unless given. */
  readonly heldBack?: HeldBack;
  /** Shared by all endpoints of the chain; its own unless given. */
  readonly provenBodies?: ProvenBodies;
  readonly definition: ChainDefinition;
  readonly world: World;
}

const chainIdDigits = 8;

export class TronEndpoint extends WatchedEndpoint {
  /** All that the node knows, up to its head. */
  readonly full: NodeApi;
  /** Only what 19 of 27 representatives have built on. */
  readonly solid: NodeApi;
  /** The same two views for what has time, such as balances. */
  readonly unhurried: Readonly<Record<View, NodeApi>>;
  /** Whether it has ever shown an internal transaction, which nodes keep only where they are told to. */
  showsInternal = false;
  /** The solid head as it was told last, lower than before where the node says so; -1 before. */
  solidHead = -1;
  /** The blocks that it could not show so far. */
  readonly unshown: UnshownBlocks;
  /** What the roots of the chain's blocks have proven, whoever showed it. */
  readonly provenBodies: ProvenBodies;
  readonly #wide: Readonly<Record<View, NodeApi>>;
  readonly #lane: Lane = createLane();
  readonly #definition: ChainDefinition;
  readonly #heldBack: HeldBack | null;
  #solidIdentity: Promise<void> | null = null;

  constructor(options: TronEndpointOptions) {
    const { name, full, solid, wide, unhurried, provenBodies, definition, world } = options;
    super({ name, blockTimeMs: definition.blockTimeMs, world });
    this.full = full;
    this.solid = solid;
    this.unhurried = unhurried;
    this.unshown = new UnshownBlocks(world);
    this.provenBodies = provenBodies ?? new ProvenBodies();
    this.#wide = wide ?? { full, solid };
    this.#definition = definition;
    this.#heldBack = options.heldBack ?? null;
  }

  /**
   * Runs work against a view beside other work, and where an answer needs room once more, alone and with wider bounds.
   */
  async withRoom<T>(view: View, work: (api: NodeApi) => Promise<T>): Promise<T> {
    try {
      return await work(this[view]);
    } catch (error) {
      if (!(error instanceof NeedsRoom)) throw error;
      return inTurn(this, this.#lane, () => work(this.#wide[view]));
    }
  }

  protected override heldBackMs(): number {
    return this.#heldBack?.totalMs() ?? 0;
  }

  protected async tellHead(): Promise<number> {
    return (await newestHeader(this.full)).header.number;
  }

  /** Height of the newest block that cannot change any more. */
  async askSolidHead(): Promise<number> {
    await this.proveSolid();
    this.solidHead = (await newestHeader(this.solid)).header.number;
    return this.solidHead;
  }

  /**
   * Whoever reads from the solid view calls this before. It is checked apart, so that a node whose solid view is away
   * still shows its head. Throws LyingNode where it is on another chain, else Outage.
   */
  proveSolid(): Promise<void> {
    if (this.#solidIdentity === null) {
      const checked = this.checkIdentity('solid');
      this.#solidIdentity = checked;
      checked.catch(() => {
        if (this.#solidIdentity === checked) this.#solidIdentity = null;
      });
    }
    return this.#solidIdentity;
  }

  protected checkIdentity(view: View = 'full'): Promise<void> {
    // What failed may be another node now, behind both addresses.
    if (view === 'full') this.#solidIdentity = null;
    return this.#checkView(this[view]);
  }

  async #checkView(api: NodeApi): Promise<void> {
    await this.#checkGenesis(api);
    // Block 0 is in every database; a node that dropped the blocks after it cannot be read again from there.
    const second = await headerAt(api, 1);
    if (second === null && (await newestHeader(api)).header.number > 0)
      throw new LyingNode(
        'is a lite node: it has no block 1, so it lacks old blocks',
        undefined,
        'lite-node',
      );
  }

  async #checkGenesis(api: NodeApi): Promise<void> {
    const { chainId, genesisHash } = this.#definition;
    const genesis = await headerAt(api, 0);
    if (genesis === null) {
      const reason = 'is a lite node: it has no block 0, so its chain cannot be known';
      throw new LyingNode(reason, undefined, 'lite-node');
    }
    const { hash } = genesis.header;
    const told = Number.parseInt(hash.slice(-chainIdDigits), 16);
    const wanted = genesisHash?.toLowerCase().replace(/^0x/, '') ?? hash;
    if (told === chainId && hash === wanted) return;
    const ids = `its chain id is ${told}, ${chainId} is wanted`;
    const what = told === chainId ? `its block 0 is ${hash}, ${wanted} is wanted` : ids;
    throw new LyingNode(`is on the wrong chain: ${what}`, undefined, 'wrong-chain');
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
export async function missing(endpoint: TronEndpoint, view: View, number: number): Promise<Outage> {
  const head = view === 'full' ? await endpoint.askHead() : await endpoint.askSolidHead();
  if (head < number) return new BehindHead(number);
  return new Outage(`tells head ${head} but has no block ${number}`, { retryable: true });
}
