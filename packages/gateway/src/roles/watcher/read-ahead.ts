// Reads the next blocks of a chain while those before them are accepted: providers and the database work at once.
import type { ChainBlock, ChainReader } from '../../chains/port/reader.ts';
import { Outage } from '../../runtime/outage.ts';

/** Blocks as they were read, and which transactions they were asked for. */
export interface NamedBlocks {
  readonly blocks: readonly ChainBlock[];
  readonly txIds: ReadonlySet<string>;
}

/** Which transactions of ours blocks may hold from now on. */
export type ReadOpenTxIds = () => Promise<ReadonlySet<string>>;

/** Blocks that are being read before their turn. Nothing is trusted of them for being early. */
export interface Ahead {
  readonly first: number;
  readonly count: number;
  readonly read: Promise<NamedBlocks>;
}

/** Begins to read a range that is likely to be wanted next; its trouble is met where the range is taken, if it is. */
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

/** The blocks of a range, lowest first: those that were begun, where that was the very range, else read now. */
export function takeBlocks(
  chain: ChainReader,
  ahead: Ahead | null,
  range: readonly number[],
  readOpen: ReadOpenTxIds,
): Promise<NamedBlocks> {
  const fits = ahead !== null && ahead.first === range[0] && ahead.count === range.length;
  return fits ? ahead.read : readBlocks(chain, range, readOpen);
}

/** Reads in parallel. The first block that cannot be had ends the range; where that is the lowest, its Outage is thrown. */
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
    // A fork during the reading shows here: what does not follow is read again on top of what does.
    if (block === null || (below !== undefined && block.header.parentHash !== below.header.hash)) break;
    blocks.push(block);
  }
  return { blocks, txIds };
}
