// Finds what may become final now: the block on which a quorum agrees, once the unproven blocks up to it are compared.
import { finalByCount } from '@ducat/core/chain/chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { BlockReference, ChainBlock, SelectOurs } from '../../chains/port/reader.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import { findBlock, readUnproven } from '../../db/tables/blocks.ts';
import { readOpenTxIds } from '../../db/tables/outgoing/inclusions.ts';
import { compareBlocks } from '../../flows/blocks/compare-blocks.ts';
import { Outage } from '../../runtime/outage.ts';
import { type LeasedChain, outageOf, type StandingCursor } from './parts.ts';

/** Blocks compared in one step; more wait for the next. */
const MAX_COMPARED = 16;

export interface Finality {
  /**
   * The new final block; null where nothing new is final. A hash other than that of our block at this height means a fork.
   */
  readonly final: BlockReference | null;
  /**
   * The lowest block whose contents in the books differ from a quorum's report; null where none differs. If one differs,
   * nothing becomes final.
   */
  readonly wrong: BlockReference | null;
  /** Why a block above `final` was not compared; null where every block was compared. */
  readonly outage: Outage | null;
}

/**
 * Asks a quorum for the final block at or below the height that has enough confirmations under our tip. Compares with the
 * books each block up to there that does not prove itself. Throws `Outage` where nothing new can become final.
 */
export async function findFinality(watch: LeasedChain, cursor: StandingCursor): Promise<Finality> {
  const { chain, reader } = watch;
  const { definition } = chain;
  const above = cursor.finalNumber ?? -1;
  const byCount = finalByCount(definition, cursor.head.number);
  const unproven = await readUnproven(reader, definition.name, above, byCount, MAX_COMPARED + 1);
  const beyond = unproven[MAX_COMPARED];
  const final = await chain.finalBlock(beyond === undefined ? byCount : beyond.number - 1);
  const whole = { final, wrong: null, outage: null };
  if (final === null) return whole;
  const below = unproven.filter(({ number }) => number <= final.number);
  if (below.length === 0) return whole;
  const own = await findBlock(reader, definition.name, final.number);
  if (own?.hash !== final.hash) return whole;
  const { blocks, other, outage } = await readContents(watch, below);
  const wrong = (await compare(watch, blocks)) ?? other;
  if (wrong !== null || outage === null) return { ...whole, final: wrong === null ? final : null, wrong };
  // Blocks below one that cannot be compared do not have to wait for it.
  const next = below[blocks.length];
  const reached = next === undefined ? null : await findBlock(reader, definition.name, next.number - 1);
  if (reached === null || reached.number <= above) throw outage;
  return { final: reached, wrong: null, outage };
}

interface Contents {
  /** The blocks that a quorum reports with our header, up to the first one for which no quorum does. */
  readonly blocks: readonly ChainBlock[];
  /** Our block at the height where a quorum reports another header; null where there is none. */
  readonly other: BlockReference | null;
  /** Why a quorum does not report a block; null where no outage ended the list. */
  readonly outage: Outage | null;
}

/** Reads the contents of these blocks as a quorum reports them, from the lowest up. */
async function readContents({ chain, reader }: LeasedChain, own: readonly BlockHeader[]): Promise<Contents> {
  const { currencies, family } = chain.definition;
  const selectOurs: SelectOurs = async (block) => {
    const parties = new Set(block.transfers.flatMap(({ from, to }) => [from, to]));
    const ours = await findOurs(reader, family, parties);
    return { ...block, transfers: block.transfers.filter(({ from, to }) => ours.has(from) || ours.has(to)) };
  };
  const query = { currencies, txIds: await readOpenTxIds(reader, chain.definition.name) };
  const read = await Promise.all(
    own.map(({ number }) => chain.finalContents(number, query, selectOurs).catch(outageOf)),
  );
  const blocks: ChainBlock[] = [];
  for (const [place, header] of own.entries()) {
    const one = read[place];
    if (one instanceof Outage) return { blocks, other: null, outage: one };
    // mark: nothing-final-unread
    if (one === undefined || !isSameHeader(one.header, header))
      return { blocks, other: header, outage: null };
    blocks.push(one);
  }
  return { blocks, other: null, outage: null };
}

/**
 * The parent hash and the time of an unproven header are, like its other fields, the claim of one provider. The true hash
 * could come with a false parent or a false time, which would become final with it. So all three are compared.
 */
function isSameHeader(one: BlockHeader, other: BlockHeader): boolean {
  return one.hash === other.hash && one.parentHash === other.parentHash && one.time === other.time;
}

/** The lowest block that differs from the books; null where none does. Blocks that agree may become final from now on. */
async function compare(watch: LeasedChain, blocks: readonly ChainBlock[]): Promise<BlockReference | null> {
  const { chain, transact, world, lease } = watch;
  if (blocks.length === 0) return null;
  const input = { chain: chain.definition, blocks, nowMs: world.nowMs(), lease };
  const compared = await transact((tx) => compareBlocks(tx, input));
  if (compared.outcome !== 'compared')
    throw new Outage(`${chain.definition.name}: the books moved on while blocks were compared`, {
      kind: 'not-yet',
    });
  const [lowest] = compared.differing;
  return blocks.find(({ header }) => header.number === lowest)?.header ?? null;
}
