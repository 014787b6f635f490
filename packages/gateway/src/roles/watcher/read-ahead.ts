// Reads the next blocks of a chain while those before them are accepted: providers and the database work at once.
import type { ChainBlock, ChainReader } from '../../chains/port/reader.ts';
import { Outage } from '../../runtime/outage.ts';

/** Blocks that were read, and the transaction ids that the query named. */
export interface NamedBlocks {
  readonly blocks: readonly ChainBlock[];
  readonly txIds: ReadonlySet<string>;
}

/** Ids of our transactions that blocks may hold from now on. */
export type ReadOpenTxIds = () => Promise<ReadonlySet<string>>;

/** Blocks that are read before their turn. They are checked like any other block. */
export interface Ahead {
  readonly first: number;
  readonly count: number;
  readonly read: Promise<NamedBlocks>;
}

/** Begins to read a range that is likely to be needed next. An error is thrown where the range is taken, if it is taken. */
export function beginAhead(
  chain: ChainReader,
  range: readonly number[],
  readOpen: ReadOpenTxIds,
): Ahead | null {
  const [first] = range;
  if (first === undefined) return null;
  const read = readBlocks(chain, range, readOpen);
  read.catch(() => undefined);
  return { first, count: range.length, read };
}

/**
 * The blocks of a range, lowest first. Blocks that were read ahead are used where they are exactly this range; else it is
 * read now.
 */
export function takeBlocks(
  chain: ChainReader,
  ahead: Ahead | null,
  range: readonly number[],
  readOpen: ReadOpenTxIds,
): Promise<NamedBlocks> {
  const fits = ahead !== null && ahead.first === range[0] && ahead.count === range.length;
  return fits ? ahead.read : readBlocks(chain, range, readOpen);
}

/**
 * Reads in parallel. The first block that cannot be read ends the range; where that is the lowest block, its Outage is
 * thrown.
 */
async function readBlocks(
  chain: ChainReader,
  range: readonly number[],
  readOpen: ReadOpenTxIds,
): Promise<NamedBlocks> {
  const txIds = await readOpen();
  const query = { currencies: chain.definition.currencies, txIds };
  const read = await Promise.allSettled(range.map((number) => chain.block(number, query)));
  const blocks: ChainBlock[] = [];
  for (const one of read) {
    if (one.status === 'rejected') {
      if (blocks.length > 0 && one.reason instanceof Outage) break;
      throw one.reason;
    }
    const block = one.value;
    const below = blocks.at(-1);
    // A fork during the reading shows here. A block that does not follow is dropped, and read again on top of those that do.
    if (block === null || (below !== undefined && block.header.parentHash !== below.header.hash)) break;
    blocks.push(block);
  }
  return { blocks, txIds };
}
