// Blocks that do not prove all that is in them are read once more when they become final, and compared with the books.
import type { BlockReference, ChainPort } from '../../chains/port.ts';
import { undoBlocks } from '../../flows/blocks/undo-blocks.ts';
import { Outage } from '../../runtime/outage.ts';
import { findBlock } from '../../db/tables/blocks.ts';
import type { ChainCursor } from '../../db/tables/cursors.ts';
import { findDifferences } from '../../db/tables/transfers/find-differences.ts';
import type { LeasedChain, Step } from './parts.ts';
import { tellUntraced } from './tell-untraced.ts';

/** Blocks that become final in one step, where each of them has to be read again. */
const MAX_READ_AGAIN = 16;

/** The highest block that may become final now: one that is in the books, and not too many above what is final. */
export function mostToReadAgain(
  { readFinal }: Pick<ChainPort, 'readFinal'>,
  cursor: ChainCursor | undefined,
  atMost: number,
): number {
  if (readFinal === null) return atMost;
  if (cursor === undefined) return -1;
  const inTheBooks = Math.min(atMost, cursor.head?.number ?? -1);
  return Math.min(inTheBooks, firstOf(cursor) + MAX_READ_AGAIN - 1);
}

/** What may become final, and what stands in its way. */
export interface ReadAgain {
  readonly final: BlockReference | null;
  /** The lowest block up to the final one of which the books hold other transfers than the chain now tells. */
  readonly misread: number | null;
  /** Why nothing above `final` was compared, though it may be final too; null where nothing was left out. */
  readonly outage: Outage | null;
}

/**
 * Compares all that is new up to the final block, and where one block cannot be read, all that lies below it. A final
 * block that is not ours is a fork, which is found where blocks are accepted. Throws `Outage` where nothing could be
 * compared, and where another block is told below a final one of ours: the endpoints contradict themselves, and what
 * was not compared must not count.
 */
export async function readAgain(
  watch: LeasedChain,
  cursor: ChainCursor | undefined,
  final: BlockReference | null,
): Promise<ReadAgain> {
  const { chain, reader } = watch;
  const { readFinal, definition } = chain;
  const whole = { final, misread: null, outage: null };
  if (readFinal === null || cursor === undefined || final === null) return whole;
  const ownFinal = await findBlock(reader, definition.name, final.number);
  if (ownFinal !== null && ownFinal.hash !== final.hash) return whole;
  const first = firstOf(cursor);
  const numbers = Array.from({ length: Math.max(0, final.number - first + 1) }, (_, place) => first + place);
  const read = await Promise.allSettled(numbers.map((number) => readFinal(number, definition.currencies)));
  let compared: BlockReference | null = null;
  for (const one of read) {
    if (one.status === 'rejected') {
      const { reason } = one;
      if (compared === null || !(reason instanceof Outage)) throw reason;
      return { final: compared, misread: null, outage: reason };
    }
    const { header, transfers } = one.value;
    const own = await findBlock(reader, definition.name, header.number);
    // A height that was never read lies before our first block and has nothing of ours in it.
    if (own === null) continue;
    // mark: nothing-final-unread
    if (own.hash !== header.hash) throw contradiction(definition.name, header, own.hash, final);
    if ((await findDifferences(reader, definition, [{ header, transfers }])).length > 0)
      return { final, misread: header.number, outage: null };
    // The final view can know less than the head told before; where that changes no transfer, nothing else says so.
    tellUntraced(watch, one.value);
    compared = { number: header.number, hash: header.hash };
  }
  return whole;
}

function contradiction(chain: string, told: BlockReference, own: string, final: BlockReference): Outage {
  const what = `told ${told.hash} as final block ${told.number}, and ours is ${own}`;
  return new Outage(`${chain}: the endpoints ${what}, although both lead to final block ${final.number}`, {
    retryable: true,
    kind: 'disagreement',
  });
}

/** Goes back below a block that was misread, so that it is read anew, after a pause, from where it cannot change. */
export async function undoMisread(
  { chain, transact, reader, world, lease, log, observer }: LeasedChain,
  cursor: ChainCursor,
  number: number,
): Promise<Step> {
  const { name } = chain.definition;
  const tip = cursor.head;
  if (tip === null) return 'idle';
  const ancestor = await findBlock(reader, name, number - 1);
  const undo = { chain: name, tip, ancestor, nowMs: world.nowMs(), lease };
  const undone = await transact((tx) => undoBlocks(tx, undo));
  log.error(
    { flow: 'undo-blocks', chain: name, block: number, tip: tip.number, ...undone },
    'a final block holds other transfers than were read of it before',
  );
  if (undone.outcome === 'undone') observer.onReorg(name, undone.depth);
  if (undone.outcome === 'halted') observer.onHalted(name);
  return undone.outcome === 'halted' || undone.outcome === 'lease-lost' ? undone.outcome : 'idle';
}

function firstOf(cursor: ChainCursor): number {
  return cursor.finalNumber === null ? (cursor.startNumber ?? 0) : cursor.finalNumber + 1;
}
