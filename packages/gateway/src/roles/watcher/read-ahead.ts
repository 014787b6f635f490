// Reads the next blocks of a chain while those before them are accepted: providers and the database work at once.
import type { ChainBlock, ChainReader } from '../../chains/port/reader.ts';
import { Outage } from '../../runtime/outage.ts';

/** Blocks that are being read before their turn. Nothing is trusted of them for being early. */
export interface Ahead {
  readonly first: number;
  readonly count: number;
  readonly blocks: Promise<readonly ChainBlock[]>;
}

/** Begins to read a range that is likely to be wanted next; its trouble is met by whoever takes it, if anybody does. */
export function beginAhead(chain: ChainReader, range: readonly number[]): Ahead | null {
  const [first] = range;
  if (first === undefined) return null;
  const blocks = readBlocks(chain, range);
  blocks.catch(() => undefined);
  return { first, count: range.length, blocks };
}

/** The blocks of a range, lowest first: those that were begun, where that was the very range, else read now. */
export function takeBlocks(
  chain: ChainReader,
  ahead: Ahead | null,
  range: readonly number[],
): Promise<readonly ChainBlock[]> {
  const fits = ahead !== null && ahead.first === range[0] && ahead.count === range.length;
  return fits ? ahead.blocks : readBlocks(chain, range);
}

/** Reads in parallel. The first block that cannot be had ends the range; where that is the lowest, its Outage is thrown. */
async function readBlocks(chain: ChainReader, range: readonly number[]): Promise<readonly ChainBlock[]> {
  const query = { currencies: chain.definition.currencies, txIds: new Set<string>() };
  const read = await Promise.allSettled(range.map((number) => chain.block(number, query)));
  const blocks: ChainBlock[] = [];
  for (const one of read) {
    if (one.status === 'rejected') {
      if (blocks.length > 0 && one.reason instanceof Outage) break;
      throw one.reason;
    }
    const block = one.value;
    const below = blocks.at(-1);
    // A fork during the reading shows here: what does not follow is read again on top of what does.
    if (block === null || (below !== undefined && block.header.parentHash !== below.header.hash)) break;
    blocks.push(block);
  }
  return blocks;
}
