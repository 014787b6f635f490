// One step along a chain: the next blocks or a fork, and then what is final.
import { nextRange } from '@ducat/core/chain/local-chain';
import type { ChainBlock } from '../../chains/port/reader.ts';
import { findBlock } from '../../db/tables/blocks.ts';
import type { ChainCursor } from '../../db/tables/cursors.ts';
import { type AcceptedBlocks, acceptBlocks } from '../../flows/blocks/accept-blocks.ts';
import { haltChain } from '../../flows/blocks/halt-chain.ts';
import { Outage } from '../../runtime/outage.ts';
import { followFork, type StandingCursor } from './follow-fork.ts';
import { cursorOf, type LeasedChain, type Outcome, outageOf } from './parts.ts';
import { type Ahead, beginAhead, takeBlocks } from './read-ahead.ts';
import { reportUndecoded } from './report.ts';
import { hasUnsettled, settle } from './settle.ts';

/** Blocks read at the same time and accepted in one transaction. */
const BATCH_BLOCKS = 16;
/** At a head that stands, finality is asked this often; each new block asks it anyway. */
const ASK_FINAL_EVERY_MS = 15_000;

/** What a step hands to the next one. Nothing here has to be true: a walk that starts again comes to the same books. */
export interface Walk {
  readonly ahead: Ahead | null;
  /** When finality was asked last and no block has come since; null where it has to be asked. */
  readonly askedFinalAtMs: number | null;
}

export const walkFromStart: Walk = { ahead: null, askedFinalAtMs: null };

export interface Stepped {
  readonly outcome: Outcome;
  readonly walk: Walk;
}

// ~ tour 6/12: the chain is walked block by block.
// → packages/gateway/src/chains/evm/evm-reader.ts
/**
 * Accepts the next blocks or undoes a fork, and settles what is final. Throws `Outage` where the chain or the database
 * is away; anything else that breaks halts the chain.
 */
export async function step(watch: LeasedChain, walk: Walk): Promise<Stepped> {
  try {
    return await stepOrThrow(watch, walk);
  } catch (error) {
    if (error instanceof Outage) throw error;
    // What cannot be has happened, so nothing more of this chain is trusted until a human has looked.
    const { transact, world, log, lease } = watch;
    const chain = watch.chain.definition.name;
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ chain, error }, 'a broken invariant halts the chain');
    const outcome = await transact((tx) => haltChain(tx, { chain, reason, nowMs: world.nowMs(), lease }));
    return { outcome, walk: walkFromStart };
  }
}

async function stepOrThrow(watch: LeasedChain, walk: Walk): Promise<Stepped> {
  const { chain, observer } = watch;
  const { name } = chain.definition;
  const cursor = await cursorOf(watch);
  observer.onCursor(name, cursor);
  if (cursor !== null && cursor.haltedReason !== null) return { outcome: 'halted', walk: walkFromStart };
  const head = await chain.head();
  observer.onHead(name, head);
  const grown = await grow(watch, walk, cursor, head).catch(outageOf);
  if (grown instanceof Outage) {
    // What is final below a block that cannot be had does not wait for it.
    const settled = await settleIfDue(watch, walk);
    if (settled.outcome === 'halted' || settled.outcome === 'lease-lost') return settled;
    throw grown;
  }
  if (grown.outcome === 'halted' || grown.outcome === 'lease-lost') return grown;
  const settled = await settleIfDue(watch, grown.walk);
  return settled.outcome === 'idle' ? { ...settled, outcome: grown.outcome } : settled;
}

/** Takes the next blocks into the books; where there are none, looks whether our tip is still on the chain. */
async function grow(watch: LeasedChain, walk: Walk, cursor: ChainCursor | null, head: number): Promise<Stepped> {
  const { chain } = watch;
  const tip = cursor?.head ?? null;
  // Begun below the head, so that no fork that is still possible reaches below the first block.
  const begin = watch.startBlock ?? Math.max(0, head - chain.definition.confirmations);
  const range = nextRange(tip, cursor?.startNumber ?? begin, head, BATCH_BLOCKS);
  if (range.length === 0) return { outcome: await checkTip(watch, cursor, head), walk: { ...walk, ahead: null } };
  const blocks = await takeBlocks(chain, walk.ahead, range);
  const last = blocks.at(-1);
  if (last === undefined) return { outcome: 'idle', walk: { ...walk, ahead: null } };
  const isFull = blocks.length === BATCH_BLOCKS;
  const next = isFull ? nextRange(last.header, 0, head, BATCH_BLOCKS) : [];
  const ahead = next.length === BATCH_BLOCKS ? beginAhead(chain, next) : null;
  const outcome = await accept(watch, cursor, blocks);
  if (outcome !== 'busy') return { outcome, walk: walkFromStart };
  return { outcome: isFull ? 'busy' : 'idle', walk: { ahead, askedFinalAtMs: null } };
}

/** `busy` where the blocks are in the books, or our view of the books was old. */
async function accept(
  watch: LeasedChain,
  cursor: ChainCursor | null,
  blocks: readonly ChainBlock[],
): Promise<Outcome> {
  const { chain, transact, world, lease, observer } = watch;
  const { definition } = chain;
  for (const block of blocks) if (block.isProven) reportUndecoded(watch, block);
  const input = { chain: definition, blocks, nowMs: world.nowMs(), lease };
  const accepted = await transact((tx) => acceptBlocks(tx, input));
  logAccepted(watch, blocks, accepted, world.nowMs() - input.nowMs);
  switch (accepted.outcome) {
    case 'accepted':
      observer.onTransfers(definition.name, { seen: accepted.seen, settled: 0 });
      return 'busy';
    case 'stale':
      return 'busy';
    case 'fork':
      return forkUnder(watch, cursor, blocks[0]);
    case 'repeats':
      return refuse(watch, accepted);
    case 'halted':
    case 'lease-lost':
      return accepted.outcome;
  }
}
