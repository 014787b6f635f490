// One provider of a chain: how far it is behind, what it lies about, which branch it shows.
import type { Chance } from '../world/chance.ts';
import type { SimChain } from './sim-chain.ts';
import { ancestorAt, type SentTransaction, type SimBlock, type ValueTransfer } from './sim-block.ts';
import type { NodeView } from './evm-node.ts';

/** What a provider that lies may do to one answer. */
export const lies = [
  'forged payment',
  'missing payment',
  'altered payment',
  'empty list',
  'backwards head',
  'head ahead',
  'truncated answer',
  'wrong id',
  'final ahead',
  'forged trace',
  'missing trace',
  'forged balance',
  'missing balance',
  'error',
] as const;

export type Lie = (typeof lies)[number];

/** What a question is about: a lie belongs to one of these. */
export type Topic = 'transactions' | 'receipts' | 'traces' | 'balances' | 'head' | 'final' | 'other';

/** Topics are drawn evenly. Those that no root proves stand here twice, because only there a lie can be believed. */
export const topicsOfLies: readonly Topic[] = [
  'transactions',
  'receipts',
  'receipts',
  'traces',
  'traces',
  'balances',
  'balances',
  'head',
  'final',
  'final',
];

const anywhere: readonly Lie[] = ['truncated answer', 'wrong id', 'error'];

export const liesAbout: Readonly<Record<Topic, readonly Lie[]>> = {
  transactions: ['altered payment', 'altered payment', 'empty list', ...anywhere],
  receipts: [
    'forged payment',
    'forged payment',
    'missing payment',
    'altered payment',
    'empty list',
    ...anywhere,
  ],
  traces: ['forged trace', 'forged trace', 'missing trace', ...anywhere],
  balances: ['forged balance', 'missing balance', ...anywhere],
  head: ['backwards head', 'head ahead', ...anywhere],
  final: ['final ahead', ...anywhere],
  other: anywhere,
};

export class Provider {
  readonly name: string;
  readonly chain: SimChain;
  /** At most one of a chain's providers lies, and only where there is another. */
  readonly isFaulty: boolean;
  lagBlocks = 0;
  /** The one topic that the provider lies about; null for a little of everything. */
  habit: Topic | null = null;
  /** The one lie that the provider always makes; null where lies are drawn. */
  onlyLie: Lie | null = null;
  awayUntilMs = 0;
  /** The tip of another branch that it shows, and until when. */
  #branch: SimBlock | null = null;
  #branchUntilMs = 0;
  #finalFrozenAt: number | null = null;
  /** How many blocks too many it calls final. */
  #finalAhead = 0;

  constructor(name: string, chain: SimChain, isFaulty: boolean) {
    this.name = name;
    this.chain = chain;
    this.isFaulty = isFaulty;
  }

  /** What it sees of the chain now. */
  view(nowMs: number): NodeView {
    const { tip, finalHeight } = this.chain;
    const branch = nowMs < this.#branchUntilMs ? this.#grown() : null;
    const shown = branch ?? tip;
    const lagged = ancestorAt(shown, Math.max(0, shown.header.number - this.lagBlocks)) ?? shown;
    // Claims the final height on its own branch as well, because a node that is honest and alone sees no more.
    const claimed = (this.#finalFrozenAt ?? finalHeight) + this.#finalAhead;
    const final = Math.min(claimed, Math.max(0, lagged.header.number - 1));
    return { tip: lagged, finalHeight: final };
  }

  /** Makes the provider answer as it should. A provider that has gone for good stays away. */
  beHonest(isGone: boolean): void {
    this.lagBlocks = 0;
    this.awayUntilMs = isGone ? Number.POSITIVE_INFINITY : 0;
    this.#branch = null;
    this.#finalFrozenAt = null;
    this.#finalAhead = 0;
  }

  /** Reports a final height that stands still, is too high, or is right again. Returns what it did, in words. */
  lieAboutFinal(chance: Chance): string {
    const how = chance.pick(['frozen', 'ahead', 'right'] as const);
    this.#finalFrozenAt = how === 'frozen' ? this.chain.finalHeight : null;
    this.#finalAhead = how === 'ahead' ? chance.between(1, 3) : 0;
    return `what ${this.name} calls final is ${how}`;
  }

  /** The branch that is shown grows as the chain does, because readers would leave it soon otherwise. */
  #grown(): SimBlock | null {
    if (this.#branch === null) return null;
    const blockTime = Math.round(this.chain.definition.blockTimeMs / 1000);
    while (this.#branch.header.number < this.chain.height) {
      this.#branch = this.chain.seal(this.#branch, [], this.#branch.header.time + blockTime, 0);
    }
    return this.#branch;
  }

  /** Shows a branch that was lost. Returns what it did, in words. */
  sitOnLost(chance: Chance, untilMs: number): string | null {
    const { lost } = this.chain;
    if (lost.length === 0) return null;
    this.#branch = chance.pick(lost);
    this.#branchUntilMs = untilMs;
    return `${this.name} shows the lost branch up to ${this.#branch.header.number}`;
  }

  /** Shows blocks that it made up, with forged payments or with a payment that was made before. */
  makeUp(chance: Chance, untilMs: number, forged: readonly ValueTransfer[]): string | null {
    const { chain } = this;
    const below = chain.at(chain.height - chance.between(0, Math.min(3, chain.maxForkDepth)));
    if (below === null) return null;
    const old = chain.blocks().flatMap(({ transactions }) => transactions);
    const repeats = old.length > 0 && chance.hits(0.5);
    const invented: SentTransaction[] = forged.length === 0 ? [] : [chain.invent(forged)];
    let tip = below;
    const blocks = chance.between(1, 4);
    for (let made = 0; made < blocks; made++) {
      const time = tip.header.time + Math.round(chain.definition.blockTimeMs / 1000);
      const content = made > 0 ? [] : repeats ? [chance.pick(old)] : invented;
      tip = chain.seal(tip, content, time, 0);
    }
    this.#branch = tip;
    this.#branchUntilMs = untilMs;
    const what = repeats ? 'a payment that was made before' : `${invented.length} forged payments`;
    return `${this.name} makes up ${blocks} blocks above ${below.header.number} with ${what}`;
  }
}
