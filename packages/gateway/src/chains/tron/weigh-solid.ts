// What the endpoints told of a block that cannot change, weighed: what its root proves, what two tell alike, what neither.
import type { Transfer } from '@ducat/core/chain/transfer';
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock, Untraced } from '../port.ts';
import { Outage, type OutageKind } from '../../runtime/outage.ts';
import type { Outlasted } from '../endpoint/patience.ts';
import { UnreadableBlock } from '../endpoint/unreadable-block.ts';
import { type Body, judgeBlock, type Scene, tokensOf } from './judge-block.ts';
import { digestOf } from './node-json.ts';
import type { ToldBlock } from './read-block.ts';
import type { Receipt } from './receipts.ts';
import { UnshownBlock, type UnshownReceipts } from './unshown-blocks.ts';
import type { Watched } from './watched.ts';

/** What one endpoint told, and what it did not show. */
export interface ToldSolid extends ToldBlock {
  readonly name: string;
  readonly unshownBlock: UnshownBlock | null;
}

export interface Weighing {
  readonly chain: string;
  readonly number: number;
  /** How many have to tell the same. */
  readonly needed: number;
  /** How many endpoints there are, whether they tell anything now or not. */
  readonly configured: number;
  readonly watched: Watched;
}

/** The endpoints answered, and do not tell the same. */
export class Disagreement extends Outage {
  constructor(reason: string, kind: OutageKind) {
    super(reason, { retryable: true, kind });
  }
}

interface Heard extends Weighing {
  /** Whether somebody rests, fails or has not come as far, who may show it later. */
  readonly hasAway: boolean;
}

/** Receipts of a whole block, judged. */
interface Opinion {
  readonly name: string;
  readonly block: ChainBlock;
  /** What its transactions moved by themselves, as one text, with all that is known of them. */
  readonly outer: string;
  /** What contracts sent on inside them, the same way. */
  readonly inner: string;
}

/**
 * A header names its transactions by their root: where as many as needed have the header and one shows transactions
 * that give its root, those are the transactions, whoever else shows less or something else. Throws UnreadableBlock
 * while something may be shown in a moment, else Disagreement.
 */
export function weighSolid(weighing: Weighing, told: readonly ToldSolid[]): ChainBlock {
  const { chain, number, needed, configured } = weighing;
  const heard = { ...weighing, hasAway: told.length < configured };
  const groups = groupBy(told, ({ block }) => block.header.hash).filter(({ length }) => length >= needed);
  const [group = []] = groups;
  const proven = group.flatMap(({ body }) => (body?.isProven === true ? [body] : []));
  const [body = null] = proven;
  const block =
    groups.length !== 1 || new Set(proven.map(idsOf)).size > 1
      ? null
      : body === null
        ? weighUnproven(heard, group)
        : weighProven(heard, group, body);
  if (block !== null) return block;
  const names = told.map(({ name }) => name).join(' and ');
  const what = `disagree on what moved in block ${number}`;
  throw new Disagreement(`${chain}: the endpoints ${what}: ${names}`, 'disagreement');
}

/** Whether as many as needed prove the block and tell the same receipts, so that nobody else has to be heard. */
export function isPlain({ needed }: Weighing, told: readonly ToldSolid[]): boolean {
  const whole = told.filter(({ body, receipts }) => body?.isProven === true && receipts !== null);
  return agreed(whole.map(opinionOf), needed) !== null;
}

/** The root proves the transactions for all who have the header; about receipts two have to tell the same. */
function weighProven(weighing: Heard, group: readonly ToldSolid[], body: Body): ChainBlock | null {
  const { needed } = weighing;
  const scene = sceneOf(weighing, group);
  // What was judged by the proven transactions already is not judged again.
  const judged = group.flatMap(({ name, receipts, ...own }) =>
    receipts === null
      ? []
      : { name, block: own.body === body ? own.block : judgeBlock(scene, body, receipts) },
  );
  const [only, ...others] = judged;
  // Nobody told anything else that it could be compared with.
  if (only !== undefined && others.length === 0 && needed === 1) return only.block;
  const opinions = judged.map(opinionOf);
  expectInnerAlike(weighing, opinions);
  const block = agreed(opinions, needed);
  if (block !== null) return block;
  // Of two that tell different receipts nobody's are withheld because a third one tells none.
  if (opinions.length === group.length || new Set(opinions.map(textOf)).size > 1) return null;
  // mark: unshown-receipts-wait
  expectOutlasted(
    weighing,
    group.map(({ name, unshownReceipts }) => ({ name, outage: unshownReceipts })),
  );
  return judgeBlock(scene, body, []);
}

/** Nobody proves what is in it: no TRX counts, and tokens where two tell the same receipts. */
function weighUnproven(weighing: Heard, group: readonly ToldSolid[]): ChainBlock | null {
  const { needed } = weighing;
  const shown = group.filter(({ body }) => body !== null);
  const heard = group.filter(({ receipts }) => receipts !== null);
  const same = alike(
    heard.filter(({ body }) => body !== null),
    needed,
    ({ unproven, receipts }) => `${unproven} ${digestOfReceipts(receipts)}`,
  );
  if (same !== null) return same.block;
  const scene = sceneOf(weighing, group);
  const unshown = group.find(({ unshownBlock }) => unshownBlock !== null) ?? null;
  const untraced = unshown?.block.untraced ?? [];
  // Whoever can show it is heard first.
  expectOutlasted(
    weighing,
    group.map(({ name, unshownBlock }) => ({ name, outage: unshownBlock })),
  );
  const tellers = groupAlike(heard, needed, (one) => digestOfReceipts(one.receipts));
  const receipts = tellers[0]?.receipts ?? null;
  if (unshown !== null && receipts !== null) {
    const { transfers, doubtful } = weighResults(tokensOf(scene, receipts), tellers, needed);
    return { header: scene.header, transfers, untraced: [...untraced, ...doubtful] };
  }
  const kinds = new Set(heard.map((one) => digestOfReceipts(one.receipts)));
  const bodies = new Set(shown.map(({ unproven }) => unproven));
  if (heard.length === group.length || kinds.size > 1 || bodies.size > 1) return null;
  expectOutlasted(
    weighing,
    group.map(({ name, unshownReceipts }) => ({ name, outage: unshownReceipts })),
  );
  const withheld: Untraced = { txId: null, reason: 'unshown-receipts' };
  const body = shown[0]?.body ?? null;
  const named = unshown !== null || body === null ? untraced : judgeBlock(scene, body, []).untraced;
  return { header: scene.header, transfers: [], untraced: [...named, withheld] };
}

/** One root proves one list; two that seem to give it are a lie that nobody has thought of. */
function idsOf({ transactions }: Body): string {
  return transactions.map(({ id }) => id).join(' ');
}

/**
 * Whoever shows another result than success does not stand for its receipt. What is left counts where as many as needed
 * do; of anybody beyond them a body that proves nothing is no veto. What does not count is named.
 */
function weighResults(
  transfers: readonly Transfer[],
  tellers: readonly ToldSolid[],
  needed: number,
): { readonly transfers: readonly Transfer[]; readonly doubtful: readonly Untraced[] } {
  const doubts = tellers.map(
    ({ body }) =>
      new Set(body?.transactions.filter(({ outcome }) => outcome !== 'succeeded').map(({ id }) => id)),
  );
  // mark: result-needs-two
  const counts = (id: string): boolean => doubts.filter((doubted) => !doubted.has(id)).length >= needed;
  const dropped = new Set(transfers.map(({ txId }) => txId).filter((id) => !counts(id)));
  return {
    transfers: transfers.filter(({ txId }) => !dropped.has(txId)),
    doubtful: [...dropped].map((txId) => ({ txId, reason: 'unclear-receipt' })),
  };
}

function sceneOf({ chain, watched }: Weighing, group: readonly ToldSolid[]): Scene {
  const [first] = group;
  if (first === undefined) throw new Outage(`${chain}: nobody told of the block`, { retryable: true });
  return { chain, header: first.block.header, watched };
}

/** Throws UnreadableBlock while one of them, or one that is away, may show in a moment what nobody shows now. */
function expectOutlasted(
  { chain, hasAway }: Heard,
  missing: readonly { readonly name: string; readonly outage: UnshownBlock | UnshownReceipts | null }[],
): void {
  // mark: away-takes-the-long-patience
  const enough: readonly Outlasted[] = hasAway ? ['long'] : ['short', 'long'];
  const waits = missing.flatMap(({ name, outage }) =>
    outage === null || enough.includes(outlastedOf(outage)) ? [] : `${name} ${outage.message}`,
  );
  if (waits.length > 0) throw new UnreadableBlock(`${chain}: ${waits.join('; ')}`);
}

function outlastedOf(outage: UnshownBlock | UnshownReceipts): Outlasted {
  return outage instanceof UnshownBlock ? outage.unshown.outlasted : outage.outlasted;
}

/** About inner transfers nobody is outvoted: nodes that do not keep them tell alike that there are none. */
function expectInnerAlike({ chain, number }: Weighing, opinions: readonly Opinion[]): void {
  const split = groupBy(opinions, ({ outer }) => outer).find(
    (group) => new Set(group.map(({ inner }) => inner)).size > 1,
  );
  // mark: inner-transfers-are-no-vote
  if (split === undefined) return;
  const names = split.map(({ name }) => name).join(' and ');
  const what = `tell the same of block ${number}, but not what contracts sent in it`;
  throw new Disagreement(`${chain}: the endpoints ${names} ${what}`, 'inner-disagreement');
}

function opinionOf({ name, block }: Pick<ToldSolid, 'name' | 'block'>): Opinion {
  const { header, transfers, untraced } = block;
  const isInner = ({ position }: Transfer): boolean => position.startsWith('inner:');
  // What is odd about inner transfers is told by those alone who keep them.
  const isInnerReason = ({ reason }: Untraced): boolean => reason === 'unclear-inner';
  const outer = [
    header.hash,
    ...reasonsOf(untraced.filter((one) => !isInnerReason(one))),
    ...textsOf(transfers.filter((one) => !isInner(one))),
  ];
  const inner = [...reasonsOf(untraced.filter(isInnerReason)), ...textsOf(transfers.filter(isInner))];
  return { name, block, outer: outer.join('\n'), inner: inner.join('\n') };
}

function reasonsOf(untraced: readonly Untraced[]): readonly string[] {
  return untraced.map(({ txId, reason }) => `${txId} ${reason}`);
}

function textsOf(transfers: readonly Transfer[]): readonly string[] {
  return transfers.map(
    ({ txId, position, from, to, amount }) =>
      `${txId} ${position} ${from} ${to} ${amount.currencyId} ${unitsOf(amount)}`,
  );
}

/** Of what nobody proves every byte counts, but for what only some nodes keep. */
function digestOfReceipts(receipts: readonly Receipt[] | null): string {
  return digestOf((receipts ?? []).map(({ json }) => ({ ...json, internal_transactions: null })));
}

function textOf({ outer, inner }: Opinion): string {
  return `${outer}\n\n${inner}`;
}

function agreed(opinions: readonly Opinion[], needed: number): ChainBlock | null {
  return alike(opinions, needed, textOf)?.block ?? null;
}

/** One of those that are alike, where as many as needed are. */
function alike<T>(all: readonly T[], needed: number, key: (one: T) => string): T | null {
  return groupAlike(all, needed, key)[0] ?? null;
}

/** All that are alike, where as many as needed are; else none. */
function groupAlike<T>(all: readonly T[], needed: number, key: (one: T) => string): readonly T[] {
  return groupBy(all, key).find((group) => group.length >= needed) ?? [];
}

function groupBy<T>(all: readonly T[], key: (one: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const text = key(one);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
