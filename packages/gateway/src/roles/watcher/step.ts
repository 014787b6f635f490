// One step along a chain: the next blocks or a fork, and then what is final.
import { finalByCount } from '@ducat/core/chain/chain';
import { headToBeginAt, nextRange } from '@ducat/core/chain/local-chain';
import type { BlockReference, ChainBlock } from '../../chains/port/reader.ts';
import { findBlock, readUnproven } from '../../db/tables/blocks.ts';
import { type ChainCursor, isReadFor } from '../../db/tables/cursors.ts';
import { type AcceptedBlocks, acceptBlocks } from '../../flows/blocks/accept-blocks.ts';
import { noteCurrencies } from '../../flows/blocks/note-currencies.ts';
import { Outage } from '../../runtime/outage.ts';
import { readOpenTxIds } from '../../db/tables/outgoing/inclusions.ts';
import { followFork, undoAbove } from './follow-fork.ts';
import { cursorOf, haltedByBug, hasHead, type LeasedChain, type Outcome, outageOf } from './parts.ts';
import { withOwnSenders } from './own-senders.ts';
import { type Ahead, beginAhead, takeBlocks } from './read-ahead.ts';
import { settle } from './settle.ts';

/** Blocks read at the same time and accepted in one transaction. */
const BATCH_BLOCKS = 16;
/** How often finality is asked for while the head stands still. Each new block asks for it anyway. */
const ASK_FINAL_EVERY_MS = 15_000;
/** How far apart the heads of two providers may be, in milliseconds of blocks, to count as about alike. */
const BEGIN_WITHIN_MS = 60_000;

/** What a step hands to the next one. It only saves work: a walk that starts without it comes to the same books. */
export interface Walk {
  readonly ahead: Ahead | null;
  /** When finality was last asked for, if no block was accepted since; null where it has to be asked for. */
  readonly askedFinalAtMs: number | null;
  /** Whether the books had all blocks up to the head. */
  readonly isAtHead: boolean;
}

export const walkFromStart: Walk = { ahead: null, askedFinalAtMs: null, isAtHead: false };

export interface Stepped {
  readonly outcome: Outcome;
  readonly walk: Walk;
}

// ~ tour 6/15: the chain is walked block by block.
// → packages/gateway/src/chains/quorum/quorum-reader.ts
/**
 * Accepts the next blocks or undoes a fork, and settles what is final. Throws `Outage` where the chain or the database
 * is away; anything else that breaks halts the chain.
 */
export async function step(watch: LeasedChain, walk: Walk): Promise<Stepped> {
  try {
    return await stepOrThrow(watch, walk);
  } catch (error) {
    return { outcome: await haltedByBug(watch, error), walk: walkFromStart };
  }
}

async function stepOrThrow(watch: LeasedChain, walk: Walk): Promise<Stepped> {
  const { chain, observer } = watch;
  const { name } = chain.definition;
  const cursor = await cursorOf(watch);
  observer.onCursor(name, cursor);
  if (cursor !== null && cursor.haltedReason !== null) return { outcome: 'halted', walk: walkFromStart };
  const isNoted = isReadFor(cursor, chain.definition) || (await noteCurrenciesOf(watch));
  if (!isNoted) return { outcome: 'lease-lost', walk: walkFromStart };
  const head = await chain.head();
  observer.onHead(name, head);
  const grown = await grow(watch, walk, cursor, head).catch(outageOf);
  if (grown instanceof Outage) {
    // Blocks below one that cannot be read may still become final. Any other result of settling shows in the next step.
    await settleIfDue(watch, walk);
    throw grown;
  }
  if (grown.outcome === 'halted' || grown.outcome === 'lease-lost') return grown;
  const settled = await settleIfDue(watch, grown.walk);
  return settled.outcome === 'idle' ? { ...settled, outcome: grown.outcome } : settled;
}

/** Before the first block that this process reads, orders in currencies that it does not read are refused. */
function noteCurrenciesOf({ chain, transact, world, lease }: LeasedChain): Promise<boolean> {
  const input = { chain: chain.definition, nowMs: world.nowMs(), lease };
  return transact((tx) => noteCurrencies(tx, input));
}

/** Accepts the next blocks into the books. Where there are none, checks whether our tip is still on the chain. */
async function grow(
  watch: LeasedChain,
  walk: Walk,
  cursor: ChainCursor | null,
  head: number,
): Promise<Stepped> {
  const { chain, reader } = watch;
  const readOpen = () => readOpenTxIds(reader, chain.definition.name);
  const range = nextRange(cursor?.head ?? null, cursor?.startNumber ?? beginOf(watch), head, BATCH_BLOCKS);
  if (range.length === 0)
    return { outcome: await checkTip(watch, cursor, head), walk: { ...walk, ahead: null, isAtHead: true } };
  const taken = await takeBlocks(chain, walk.ahead, range, readOpen);
  const isFull = taken.blocks.length === BATCH_BLOCKS;
  const next = isFull ? nextRange(taken.blocks.at(-1)?.header ?? null, 0, head, BATCH_BLOCKS) : [];
  const ahead = next.length === BATCH_BLOCKS ? beginAhead(chain, next, readOpen) : null;
  const blocks = await withOwnSenders(watch, taken);
  if (blocks.length === 0) return { outcome: 'idle', walk: { ...walk, ahead: null, isAtHead: false } };
  const outcome = await accept(watch, blocks);
  if (outcome !== 'accepted') return { outcome, walk: walkFromStart };
  const isAtHead = (blocks.at(-1)?.header.number ?? 0) >= head;
  return { outcome: isFull ? 'busy' : 'idle', walk: { ahead, askedFinalAtMs: null, isAtHead } };
}

/**
 * The first block: as far below the head as money takes to become final, so that no fork that is still possible reaches
 * below it.
 */
function beginOf({ chain, startBlock }: LeasedChain): number {
  if (startBlock !== null) return startBlock;
  const { name, confirmations, blockTimeMs } = chain.definition;
  const heads = chain.providers().flatMap(({ head }) => head ?? []);
  const head = headToBeginAt(heads, chain.quorum, Math.ceil(BEGIN_WITHIN_MS / Math.max(1, blockTimeMs)));
  if (head !== null) return Math.max(0, head - confirmations);
  const what = `${chain.quorum} providers have to report about the same head, they report ${heads.join(', ')}`;
  throw new Outage(`${name}: before the first block ${what}`, { kind: 'disagreement' });
}

/**
 * Another block at the height of our tip is a fork. Where the head is below our tip, another block at the head's height is
 * one.
 */
async function checkTip(watch: LeasedChain, cursor: ChainCursor | null, head: number): Promise<Outcome> {
  const { chain, reader } = watch;
  const { name, currencies } = chain.definition;
  if (!hasHead(cursor)) return 'idle';
  const number = Math.min(head, cursor.head.number);
  const own = number === cursor.head.number ? cursor.head : await findBlock(reader, name, number);
  const other = await chain.header(number);
  if (own === null || other === null || other.hash === own.hash) return 'idle';
  // The whole block is read, so that its provider is known and can be doubted for it.
  const block = await chain.block(number, { currencies, txIds: new Set() });
  if (block === null || block.header.hash === own.hash) return 'idle';
  return followFork(watch, cursor, { foreign: block.header, served: block.header });
}

/** Returns `accepted`, or else the outcome of the step. */
async function accept(watch: LeasedChain, blocks: readonly ChainBlock[]): Promise<Outcome | 'accepted'> {
  const { chain, transact, world, lease, observer } = watch;
  const { definition } = chain;
  const input = { chain: definition, blocks, nowMs: world.nowMs(), lease };
  const accepted = await transact((tx) => acceptBlocks(tx, input));
  logAccepted(watch, blocks, accepted, input.nowMs);
  switch (accepted.outcome) {
    case 'accepted':
      observer.onTransfers(definition.name, { seen: accepted.seen, settled: 0 });
      return 'accepted';
    case 'stale':
      return 'busy';
    case 'fork':
      observer.onTransfers(definition.name, { seen: accepted.seen, settled: 0 });
      return forkUnder(watch, accepted.foreign, blocks[accepted.taken]);
    case 'repeats':
      return refuse(watch, accepted);
    case 'halted':
    case 'lease-lost':
      return accepted.outcome;
  }
}

/** Follows the fork where the lowest block that was not accepted has another parent than our tip. */
async function forkUnder(
  watch: LeasedChain,
  foreign: BlockReference,
  served: ChainBlock | undefined,
): Promise<Outcome> {
  const cursor = await cursorOf(watch);
  return hasHead(cursor) ? followFork(watch, cursor, { foreign, served: served?.header ?? null }) : 'busy';
}

/**
 * A chain cannot hold a transaction twice, so the provider of such a block is wrong, and the chain waits. Our own blocks may
 * be the wrong ones where one of them, from the block with the first transfer up, does not prove itself. Then they are
 * undone and read again.
 */
async function refuse(
  watch: LeasedChain,
  { block, transfer }: Extract<AcceptedBlocks, { outcome: 'repeats' }>,
): Promise<Outcome> {
  const { chain, reader } = watch;
  const { name } = chain.definition;
  const { txId, position, inBlock } = transfer;
  const where = inBlock === null ? 'which it holds twice' : `which stands in block ${inBlock}`;
  const reason = `repeats a transfer, ${txId} ${position}, ${where}`;
  chain.reject(block, reason);
  const cursor = await cursorOf(watch);
  if (hasHead(cursor) && inBlock !== null && inBlock > (cursor.finalNumber ?? -1)) {
    const below = inBlock - 1;
    const unproven = await readUnproven(reader, name, below, cursor.head.number, 1);
    const why = `block ${block.number} ${reason}`;
    if (unproven.length > 0) return undoAbove(watch, cursor, await findBlock(reader, name, below), why);
  }
  throw new Outage(`${name}: block ${block.number} ${block.hash} ${reason}`, { kind: 'invalid' });
}

function logAccepted(
  { chain, world, log }: LeasedChain,
  blocks: readonly ChainBlock[],
  accepted: AcceptedBlocks,
  startedMs: number,
): void {
  const last = blocks.at(-1)?.header;
  const fields = {
    flow: 'accept-blocks',
    chain: chain.definition.name,
    block: last?.number,
    hash: last?.hash,
  };
  const isNoteworthy = accepted.outcome !== 'accepted' || accepted.seen > 0;
  const durationMs = world.nowMs() - startedMs;
  log[isNoteworthy ? 'info' : 'debug'](
    { ...fields, blocks: blocks.length, ...accepted, durationMs },
    'blocks',
  );
}

/** Settles what may become final, if it is time to ask. */
async function settleIfDue(watch: LeasedChain, walk: Walk): Promise<Stepped> {
  const nowMs = watch.world.nowMs();
  // The distance counts in both directions: a clock that was set back must not stop the settling.
  const isDue = walk.askedFinalAtMs === null || Math.abs(nowMs - walk.askedFinalAtMs) >= ASK_FINAL_EVERY_MS;
  const cursor = isDue ? await cursorOf(watch) : null;
  if (cursor !== null) watch.observer.onCursor(watch.chain.definition.name, cursor);
  if (
    !hasHead(cursor) ||
    finalByCount(watch.chain.definition, cursor.head.number) <= (cursor.finalNumber ?? -1)
  )
    return { outcome: 'idle', walk };
  const outcome = await settle(watch, cursor);
  // Where more may be settled at once, or blocks were undone, the next step asks for finality again.
  return { outcome, walk: { ...walk, askedFinalAtMs: outcome === 'idle' ? nowMs : null } };
}
