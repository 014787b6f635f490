// Walks one chain block by block: what to read next, forks, finality; the books are kept by the flows.
import { finalByCount } from '@ducat/core/chain/chain';
import { nextRange } from '@ducat/core/chain/local-chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { BlockReference, ChainBlock, ChainPort } from '../../chains/port.ts';
import { type AcceptedBlock, acceptBlock } from '../../flows/accept-block.ts';
import { haltChain } from '../../flows/halt-chain.ts';
import { Outage } from '../../outage.ts';
import { type ChainCursor, readCursors } from '../../store/cursors.ts';
import type { LeasedChain, Step } from './parts.ts';
import { findMisread, mostToReadAgain, undoMisread } from './read-again.ts';
import { refuseRepeat } from './refuse-repeat.ts';
import { foreignBlockAt, undoFork } from './undo-fork.ts';

/** Blocks read at the same time while catching up; they are accepted in order. */
const BATCH_BLOCKS = 16;

// ~ tour 6/12: the chain is walked block by block.
// → packages/gateway/src/chains/evm/read-block.ts
/** Reads and accepts the next blocks, or undoes a fork. Throws `Outage` when the chain or the database is away. */
export async function stepChain(watch: LeasedChain): Promise<Step> {
  try {
    return await step(watch);
  } catch (error) {
    if (error instanceof Outage) throw error;
    // What cannot be has happened, so nothing more of this chain is believed until a human has looked.
    const { transact, world, log, leaseToken } = watch;
    const chain = watch.chain.definition.name;
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ chain, error }, 'a broken invariant halts the chain');
    return transact((tx) => haltChain(tx, { chain, reason, nowMs: world.nowMs(), leaseToken }));
  }
}

async function step(watch: LeasedChain): Promise<Step> {
  const { chain, reader, observer } = watch;
  const { name } = chain.definition;
  const cursor = (await readCursors(reader)).get(name);
  observer.onCursor(name, cursor ?? null);
  if (cursor !== undefined && cursor.haltedReason !== null) return 'halted';
  const tip = cursor?.head ?? null;
  const head = await chain.head();
  observer.onHead(name, head);
  // Begun below the head, so that no fork that is still possible reaches below the first block.
  const begin = watch.startBlock ?? Math.max(0, head - chain.definition.confirmations);
  const range = nextRange(tip, cursor?.startNumber ?? begin, head, BATCH_BLOCKS);
  if (range.length === 0) {
    if (tip === null) return 'idle';
    const foreign = await foreignBlockAt(watch, tip, Math.min(head, tip.number));
    return foreign === null ? 'idle' : undoFork(watch, tip, foreign);
  }
  const blocks = await readBlocks(chain, range);
  const { final, misread } = await finalUnder(watch, blocks, cursor);
  if (cursor !== undefined && misread !== null) return undoMisread(watch, cursor, misread);
  for (const [place, block] of blocks.entries()) {
    const isLast = place === blocks.length - 1;
    const accepted = await accept(watch, block, isLast ? final : null);
    if (accepted.outcome === 'fork') return followFork(watch, block.header, final);
    if (accepted.outcome === 'halted' || accepted.outcome === 'lease-lost') return accepted.outcome;
    if (accepted.outcome === 'repeats') return refuseRepeat(watch, block.header, accepted.transfer);
    if (accepted.outcome === 'stale') return 'busy';
  }
  return blocks.length === range.length && range.length === BATCH_BLOCKS ? 'busy' : 'idle';
}

/** Reads in parallel; what an endpoint does not have yet ends the batch. */
async function readBlocks(chain: ChainPort, range: readonly number[]): Promise<readonly ChainBlock[]> {
  const read = await Promise.all(range.map((number) => chain.readBlock(number, chain.definition.currencies)));
  const missing = read.indexOf(null);
  return read.slice(0, missing === -1 ? read.length : missing).filter((block) => block !== null);
}

interface FinalUnder {
  readonly final: BlockReference | null;
  /** A block up to the final one of which the books hold something else than it holds. */
  readonly misread: number | null;
}

/** The final block under the batch; without a trustworthy answer nothing becomes final, and reading goes on. */
async function finalUnder(
  watch: LeasedChain,
  blocks: readonly ChainBlock[],
  cursor: ChainCursor | undefined,
): Promise<FinalUnder> {
  const { chain, log, observer } = watch;
  const nothing = { final: null, misread: null };
  const last = blocks.at(-1);
  if (last === undefined) return nothing;
  const atMost = mostToReadAgain(chain, cursor, finalByCount(chain.definition, last.header.number));
  if (atMost < 0) return nothing;
  try {
    const final = await chain.finalBlock(atMost);
    return { final, misread: await findMisread(watch, cursor, final) };
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    observer.onOutage(chain.definition.name, error.kind);
    log.warn({ chain: chain.definition.name, error }, 'no agreed final block');
    return nothing;
  }
}

async function accept(
  watch: LeasedChain,
  block: ChainBlock,
  final: BlockReference | null,
): Promise<AcceptedBlock> {
  const { chain, transact, world, encode, newEventId, leaseToken, log, observer } = watch;
  const { definition } = chain;
  const nowMs = world.nowMs();
  const { header, transfers } = block;
  const accepted = await transact((tx) =>
    acceptBlock(tx, { chain: definition, header, transfers, final, encode, newEventId, nowMs, leaseToken }),
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
  if (accepted.outcome === 'accepted' && block.untraced.length > 0) {
    const { untraced } = block;
    log.error(
      { chain: definition.name, block: header.number, untraced },
      'value inside these transactions is unknown',
    );
    for (const { reason } of untraced) observer.onUntraced(definition.name, reason);
  }
  return accepted;
}

/** A block was refused: either it stands on a branch of its own, or the final block is not the one we hold. */
async function followFork(
  watch: LeasedChain,
  header: BlockHeader,
  final: BlockReference | null,
): Promise<Step> {
  const tip = (await readCursors(watch.reader)).get(watch.chain.definition.name)?.head ?? null;
  if (tip === null) return 'idle';
  const { number, hash, parentHash } = header;
  const below = number > tip.number ? { number: number - 1, hash: parentHash } : { number, hash };
  const foreign = below.hash === tip.hash ? final : below;
  return foreign === null ? 'idle' : undoFork(watch, tip, foreign);
}
