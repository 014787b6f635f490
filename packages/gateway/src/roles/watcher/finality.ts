// What may become final now: the block on which a quorum agrees, and below it what no block proves of itself.
import { finalByCount } from '@ducat/core/chain/chain';
import type { BlockReference, ChainBlock, SelectOurs } from '../../chains/port/reader.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import { findBlock, readUnproven } from '../../db/tables/blocks.ts';
import { countDifferences } from '../../db/tables/transfers.ts';
import { Outage } from '../../runtime/outage.ts';
import { type LeasedChain, outageOf, type StandingCursor } from './parts.ts';
import { reportUndecoded } from './report.ts';

/** Blocks compared in one step; more wait for the next. */
const MAX_COMPARED = 16;

export interface Finality {
  /** Null while there is none. Where it is not our block of that height, the chain forked. */
  readonly final: BlockReference | null;
  /** The lowest block of which the books hold something else than a quorum reports; nothing becomes final then. */
  readonly wrong: BlockReference | null;
  /** Why a block above `final` was not compared; null where none was left out. */
  readonly outage: Outage | null;
}

/**
 * Asks what is final at or below the block that has enough confirmations under our tip, and compares with the books
 * each block up to there that does not prove itself. Throws `Outage` where nothing new can become final.
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
  const own = await findBlock(reader, definition.name, final.number);
  if (own?.hash !== final.hash) return whole;
  for (const [place, contents] of (await readContents(watch, unproven, final)).entries()) {
    const block = unproven[place];
    if (block === undefined) break;
    if (contents instanceof Outage) return upTo(watch, block.number - 1, above, contents);
    // mark: nothing-final-unread
    if (contents.header.hash !== block.hash) throw contradiction(definition.name, block, contents, final);
    if ((await countDifferences(reader, definition, contents.header, contents.transfers)) > 0)
      return { final: null, wrong: block, outage: null };
    reportUndecoded(watch, contents);
  }
  return whole;
}

/** What a quorum reports of each of these blocks up to the final one, or why it does not. */
function readContents(
  { chain, reader }: LeasedChain,
  blocks: readonly BlockReference[],
  final: BlockReference,
): Promise<readonly (ChainBlock | Outage)[]> {
  const { currencies, family } = chain.definition;
  const selectOurs: SelectOurs = async (block) => {
    const parties = new Set(block.transfers.flatMap(({ from, to }) => [from, to]));
    const ours = await findOurs(reader, family, parties);
    return { ...block, transfers: block.transfers.filter(({ from, to }) => ours.has(from) || ours.has(to)) };
  };
  const query = { currencies, txIds: new Set<string>() };
  return Promise.all(
    blocks
      .filter(({ number }) => number <= final.number)
      .map(({ number }) => chain.finalContents(number, query, selectOurs).catch(outageOf)),
  );
}

/** What lies below a block that cannot be compared does not wait for it. */
async function upTo({ chain, reader }: LeasedChain, number: number, above: number, outage: Outage): Promise<Finality> {
  const own = number > above ? await findBlock(reader, chain.definition.name, number) : null;
  if (own === null) throw outage;
  return { final: own, wrong: null, outage };
}

function contradiction(chain: string, own: BlockReference, other: ChainBlock, final: BlockReference): Outage {
  const what = `a quorum reports ${other.header.hash} as final block ${own.number}, ours is ${own.hash}`;
  return new Outage(`${chain}: ${what}, and both lead to final block ${final.number} ${final.hash}`, {
    kind: 'disagreement',
  });
}
