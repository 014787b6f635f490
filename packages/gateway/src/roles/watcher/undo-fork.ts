// Finds the block that our chain and a foreign branch still share, and rolls back to it.
import { commonAncestor, type KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockReference } from '../../chains/port.ts';
import { undoBlocks } from '../../flows/undo-blocks.ts';
import { Outage } from '../../outage.ts';
import { findBlock, readWindow } from '../../store/blocks.ts';
import { readCursors } from '../../store/cursors.ts';
import type { LeasedChain, Step } from './parts.ts';

/** The block that the nodes hold at a height at or below our tip, where it is another than ours; else null. */
export async function foreignBlockAt(
  watch: LeasedChain,
  tip: KnownBlock,
  number: number,
): Promise<BlockReference | null> {
  const { chain, reader } = watch;
  const own = number === tip.number ? tip : await findBlock(reader, chain.definition.name, number);
  if (own === null) return null;
  const [remote] = await chain.headers(number, number);
  return remote !== undefined && remote.hash !== own.hash ? remote : null;
}

/** Follows the branch of a foreign block down to ours, and undoes what of ours lies above. */
export async function undoFork(watch: LeasedChain, tip: KnownBlock, foreign: BlockReference): Promise<Step> {
  const { chain, transact, reader, world, lease, log, observer } = watch;
  const { name } = chain.definition;
  const cursor = (await readCursors(reader)).get(name);
  const final = cursor?.finalNumber ?? null;
  const floor = final ?? cursor?.startNumber ?? tip.number;
  const ancestor = await findAncestor(watch, foreign, floor);
  // Nothing of ours lies beside that branch; it has only more than we have, and is looked at again later.
  if (ancestor?.hash === tip.hash) return 'idle';
  if (ancestor === null && final !== null) await proveFinalFork(watch, final);
  const undo = { chain: name, tip, ancestor, nowMs: world.nowMs(), lease };
  const undone = await transact((tx) => undoBlocks(tx, undo));
  log.warn(
    { flow: 'undo-blocks', chain: name, tip: tip.number, ancestor: ancestor?.number ?? null, ...undone },
    'fork',
  );
  if (undone.outcome === 'undone') observer.onReorg(name, undone.depth);
  if (undone.outcome === 'halted') observer.onHalted(name);
  return undone.outcome === 'halted' || undone.outcome === 'lease-lost' ? undone.outcome : 'busy';
}

/**
 * The highest block of ours on the branch of the foreign one; null where that branch passes the floor beside ours.
 * The branch is followed by hash, so that no endpoint on another branch, behind or lying, can lead astray.
 */
async function findAncestor(
  { chain, reader }: LeasedChain,
  foreign: BlockReference,
  floor: number,
): Promise<KnownBlock | null> {
  const { name } = chain.definition;
  const window = await readWindow(reader, name, floor, foreign.number);
  let { number, hash } = foreign;
  while (number >= floor) {
    const ancestor = commonAncestor(window, new Map([[number, hash]]));
    if (ancestor !== null) return ancestor;
    if (number === floor) break;
    const header = await chain.headerOf(hash);
    if (header === null || header.number !== number) {
      const what = `a fork cannot be followed, no endpoint has block ${number} ${hash}`;
      throw new Outage(`${name}: ${what}`, { retryable: true });
    }
    number -= 1;
    hash = header.parentHash;
  }
  return null;
}

/** A fork below the final height stops the chain, so one endpoint's word is not enough where two are configured. */
async function proveFinalFork({ chain, reader }: LeasedChain, final: number): Promise<void> {
  const { name } = chain.definition;
  const own = await findBlock(reader, name, final);
  const agreed = await chain.finalBlock(final);
  if (agreed?.number === final && agreed.hash !== own?.hash) return;
  throw new Outage(`${name}: the endpoints do not agree on a fork below the final block ${final}`, {
    retryable: true,
  });
}
