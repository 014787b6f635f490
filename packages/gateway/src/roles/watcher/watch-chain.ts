// Walks one chain block by block: what to read next, forks, finality; the books are kept by the flows.
import { finalByCount } from '@ducat/core/chain/chain';
import { nextRange } from '@ducat/core/chain/local-chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { BlockReference, ChainBlock, ChainPort } from '../../chains/port.ts';
import { type AcceptedBlock, acceptBlock } from '../../flows/blocks/accept-block.ts';
import { haltChain } from '../../flows/blocks/halt-chain.ts';
import { Outage } from '../../runtime/outage.ts';
import { type ChainCursor, readCursors } from '../../db/tables/cursors.ts';
import { acceptMany } from './accept-many.ts';
import type { LeasedChain, Step } from './parts.ts';
import { mostToReadAgain, type ReadAgain, readAgain, undoMisread } from './read-again.ts';
import { createReadAhead, type ReadAhead } from './read-ahead.ts';
import { refuseRepeat } from './refuse-repeat.ts';
import { hasSeenUpTo } from '../../db/tables/transfers/settle-transfers.ts';
import { doubtCaughtUp, mayBeBehind, settleRest } from './settle-rest.ts';
import { tellUntraced } from './tell-untraced.ts';
import { foreignBlockAt, undoFork } from './undo-fork.ts';

/** Blocks read at the same time while catching up; they are accepted in order. */
const BATCH_BLOCKS = 16;

// ~ tour 6/12: the chain is walked block by block.
// → packages/gateway/src/chains/evm/read-block.ts
/**
 * Reads and accepts the next blocks, or undoes a fork. Throws `Outage` when the chain or the database is away. Far below
 * the head, `ahead` reads the blocks of the next step meanwhile.
 */
export async function stepChain(watch: LeasedChain, ahead = readAheadOf(watch)): Promise<Step> {
  try {
    return await step(watch, ahead);
  } catch (error) {
    if (error instanceof Outage) throw error;
    // What cannot be has happened, so nothing more of this chain is believed until a human has looked.
    const { transact, world, log, lease } = watch;
    const chain = watch.chain.definition.name;
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ chain, error }, 'a broken invariant halts the chain');
    return transact((tx) => haltChain(tx, { chain, reason, nowMs: world.nowMs(), lease }));
  }
}

/** What is read ahead of one walk along a chain. */
export function readAheadOf({ chain }: Pick<LeasedChain, 'chain'>): ReadAhead {
  return createReadAhead((range) => readBlocks(chain, range));
}

async function step(watch: LeasedChain, ahead: ReadAhead): Promise<Step> {
  const { chain, observer } = watch;
  const { name } = chain.definition;
  const cursor = await cursorOf(watch);
  observer.onCursor(name, cursor ?? null);
  if (cursor !== undefined && cursor.haltedReason !== null) return 'halted';
  const tip = cursor?.head ?? null;
  // Where nothing was ever accepted, what comes first is what everything else has to stand on.
  const head = await chain.head((cursor?.startNumber ?? null) === null && watch.startBlock === null);
  observer.onHead(name, head);
  // Begun below the head, so that no fork that is still possible reaches below the first block.
  const begin = watch.startBlock ?? Math.max(0, head - chain.definition.confirmations);
  const range = nextRange(tip, cursor?.startNumber ?? begin, head, BATCH_BLOCKS);
  if (range.length === 0) {
    if (tip === null) return 'idle';
    const foreign = await foreignBlockAt(watch, tip, Math.min(head, tip.number));
    return foreign === null ? settleLeftOver(watch, cursor) : undoFork(watch, tip, foreign, foreign);
  }
  const blocks = await ahead.take(range).catch(outageOf);
  if (blocks instanceof Outage || blocks.length === 0) return settleBelow(watch, cursor, blocks);
  if (tip === null) await confirmFirst(watch, blocks);
  const { final, misread } = await finalUnder(watch, blocks.at(-1)?.header.number, cursor);
  if (cursor !== undefined && misread !== null) return undoMisread(watch, cursor, misread);
  // What waits above the final block is looked for at the head, where no new block may come for long.
  doubtCaughtUp(watch);
  const next = nextRange(blocks.at(-1)?.header ?? null, 0, head, BATCH_BLOCKS);
  if (blocks.length === BATCH_BLOCKS && next.length === BATCH_BLOCKS) ahead.begin(next);
  // The last one alone can make others final.
  const taken = blocks.length === BATCH_BLOCKS ? await acceptMany(watch, blocks.slice(0, -1)) : 0;
  for (const block of blocks.slice(taken)) {
    const isLast = block === blocks.at(-1);
    const accepted = await accept(watch, block, isLast ? final : null);
    if (accepted.outcome === 'fork') return followFork(watch, block.header, final);
    if (accepted.outcome === 'halted' || accepted.outcome === 'lease-lost') return accepted.outcome;
    if (accepted.outcome === 'repeats') return refuseRepeat(watch, block.header, accepted.transfer);
    if (accepted.outcome === 'stale') return 'busy';
    if (final !== null && accepted.settled.isBehind) {
      const ended = await settleRest(watch, block.header.number, final);
      if (ended !== null) return ended;
    }
  }
  return blocks.length === range.length && range.length === BATCH_BLOCKS ? 'busy' : 'idle';
}

/** Throws Outage where the first block is one endpoint's word alone, and two are configured. */
async function confirmFirst({ chain }: LeasedChain, [first]: readonly ChainBlock[]): Promise<void> {
  if (first === undefined) return;
  const { number, hash } = first.header;
  await chain.confirmBlock({ number, hash }, 'would be the first one in the books', 'disagreement');
}

function outageOf(error: unknown): Outage {
  if (error instanceof Outage) return error;
  throw error;
}

/** The next block cannot be had: what is final below it must not wait for that. */
async function settleBelow(
  watch: LeasedChain,
  cursor: ChainCursor | undefined,
  taken: Outage | readonly ChainBlock[],
): Promise<Step> {
  const settled = await settleLeftOver(watch, cursor);
  if (settled === 'idle' && taken instanceof Outage) throw taken;
  return settled;
}

/** Reads in parallel; what an endpoint does not have yet, or cannot tell, ends the batch. */
async function readBlocks(chain: ChainPort, range: readonly number[]): Promise<readonly ChainBlock[]> {
  const { currencies } = chain.definition;
  const read = await Promise.allSettled(range.map((number) => chain.readBlock(number, currencies)));
  const blocks: ChainBlock[] = [];
  for (const one of read) {
    if (one.status === 'rejected') {
      // The blocks below are good, and the next step begins with this one.
      if (blocks.length > 0 && one.reason instanceof Outage) break;
      throw one.reason;
    }
    if (one.value === null) break;
    blocks.push(one.value);
  }
  return blocks;
}

/**
 * At the head: what was left unsettled must not wait for a block that may never come, be it that a process died, that
 * finality was not told, or that one step reads only so many blocks again.
 */
async function settleLeftOver(watch: LeasedChain, cursor: ChainCursor | undefined): Promise<Step> {
  if (cursor === undefined || !(await mayBeBehind(watch, cursor))) return 'idle';
  return settleUnderTip(watch, cursor);
}

async function settleUnderTip(watch: LeasedChain, cursor: ChainCursor): Promise<Step> {
  const tip = cursor.head;
  if (tip === null) return 'idle';
  const { final, misread } = await finalUnder(watch, tip.number, cursor);
  if (misread !== null) return undoMisread(watch, cursor, misread);
  // What is final below our first block has nothing of ours in it, and moves nothing.
  if (final === null || final.number < (cursor.startNumber ?? 0)) return 'idle';
  const isNews = final.number > (cursor.finalNumber ?? -1);
  if (!isNews && !(await hasSeenUpTo(watch.reader, cursor.chain, final.number))) return 'idle';
  return (await settleRest(watch, tip.number, final)) ?? (isNews ? 'busy' : 'idle');
}

/** The final block under the batch; without a trustworthy answer nothing becomes final, and reading goes on. */
async function finalUnder(
  watch: LeasedChain,
  last: number | undefined,
  cursor: ChainCursor | undefined,
): Promise<Pick<ReadAgain, 'final' | 'misread'>> {
  const { chain, log, observer } = watch;
  const nothing = { final: null, misread: null };
  const tell = (error: Outage): void => {
    observer.onOutage(chain.definition.name, error.kind);
    log.warn({ chain: chain.definition.name, error }, 'no agreed final block');
  };
  if (last === undefined) return nothing;
  const atMost = mostToReadAgain(chain, cursor, finalByCount(chain.definition, last));
  if (atMost < 0) return nothing;
  try {
    const final = await chain.finalBlock(atMost);
    const again = await readAgain(watch, cursor, final);
    if (again.outage !== null) tell(again.outage);
    return again;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    tell(error);
    return nothing;
  }
}

async function accept(
  watch: LeasedChain,
  block: ChainBlock,
  final: BlockReference | null,
): Promise<AcceptedBlock> {
  const { chain, transact, world, encode, newEventId, lease, log, observer } = watch;
  const { definition } = chain;
  const nowMs = world.nowMs();
  const { header, transfers } = block;
  const accepted = await transact((tx) =>
    acceptBlock(tx, { chain: definition, header, transfers, final, encode, newEventId, nowMs, lease }),
  );
  const fields = {
    flow: 'accept-block',
    chain: definition.name,
    block: header.number,
    hash: header.hash,
    ...accepted,
  };
  const noteworthy = accepted.outcome !== 'accepted' || accepted.seen > 0 || accepted.settled.transfers > 0;
  log[noteworthy ? 'info' : 'debug']({ ...fields, durationMs: world.nowMs() - nowMs }, 'block');
  if (accepted.outcome === 'accepted') observer.onAccepted(definition.name, header.number, accepted);
  if (accepted.outcome === 'accepted') tellUntraced(watch, block);
  return accepted;
}

/** A block was refused: either it stands on a branch of its own, or the final block is not the one we hold. */
async function followFork(
  watch: LeasedChain,
  header: BlockHeader,
  final: BlockReference | null,
): Promise<Step> {
  const tip = (await cursorOf(watch))?.head ?? null;
  if (tip === null) return 'idle';
  const { number, hash, parentHash } = header;
  const below = number > tip.number ? { number: number - 1, hash: parentHash } : { number, hash };
  const isOfFinal = below.hash === tip.hash;
  const foreign = isOfFinal ? final : below;
  if (foreign === null) return 'idle';
  const undone = await undoFork(watch, tip, foreign, isOfFinal ? null : { number, hash }).catch(outageOf);
  if (!(undone instanceof Outage)) return undone;
  // What is final below must not wait for that either, and no block that follows will settle it.
  const cursor = await cursorOf(watch);
  const settled = cursor === undefined ? 'idle' : await settleUnderTip(watch, cursor);
  if (settled === 'halted' || settled === 'lease-lost') return settled;
  throw undone;
}

async function cursorOf({ chain, reader }: LeasedChain): Promise<ChainCursor | undefined> {
  return (await readCursors(reader)).get(chain.definition.name);
}
