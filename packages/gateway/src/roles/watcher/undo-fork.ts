// Finds the block that our chain and the nodes still share, and rolls back to it.
import { commonAncestor, type KnownBlock } from '@ducat/core/chain/local-chain';
import { undoBlocks } from '../../flows/undo-blocks.ts';
import { Outage } from '../../outage.ts';
import { findBlock, readWindow } from '../../store/blocks.ts';
import { readCursors } from '../../store/cursors.ts';
import type { Step, WatchChain } from './parts.ts';

/** Headers asked for at once; forks are mostly one or two blocks deep. */
const STRIDE = 16;

/** Whether the nodes hold another block than we do at a height at or below our tip. */
export async function isForkedAt(watch: WatchChain, tip: KnownBlock, number: number): Promise<boolean> {
  const { chain, reader } = watch;
  const own = number === tip.number ? tip : await findBlock(reader, chain.definition.name, number);
  if (own === null) return false;
  const [remote] = await chain.headers(number, number);
  return remote !== undefined && remote.hash !== own.hash;
}

/** Walks down from our tip to the common ancestor and undoes what lies above it. */
export async function undoFork(watch: WatchChain, tip: KnownBlock): Promise<Step> {
  const { chain, transact, reader, world, log, observer } = watch;
  const { name } = chain.definition;
  const cursor = (await readCursors(reader)).get(name);
  const final = cursor?.finalNumber ?? null;
  const floor = final ?? cursor?.startNumber ?? tip.number;
  const ancestor = await findAncestor(watch, tip, floor);
  // The nodes are back on our branch, or cannot agree among themselves: nothing to undo, look again later.
  if (ancestor !== null && ancestor.hash === tip.hash) return 'idle';
  if (ancestor === null && final !== null) await proveFinalFork(watch, final);
  const undone = await transact((tx) => undoBlocks(tx, { chain: name, tip, ancestor, nowMs: world.nowMs() }));
  log.warn(
    { flow: 'undo-blocks', chain: name, tip: tip.number, ancestor: ancestor?.number ?? null, ...undone },
    'fork',
  );
  if (undone.outcome === 'undone') observer.onReorg(name, undone.depth);
  if (undone.outcome === 'halted') observer.onHalted(name);
  return undone.outcome === 'halted' ? 'halted' : 'busy';
}

/**
 * The highest block down to the floor that both sides have; null where the nodes showed another block at the floor.
 * A header that was not answered is no proof of anything, so one that is missing where it matters is an Outage.
 */
async function findAncestor(watch: WatchChain, tip: KnownBlock, floor: number): Promise<KnownBlock | null> {
  const { chain, reader } = watch;
  const { name } = chain.definition;
  let lowestAbove: string | undefined;
  for (let to = tip.number; to >= floor; to -= STRIDE) {
    const from = Math.max(floor, to - STRIDE + 1);
    const window = await readWindow(reader, name, from, to);
    const remote = new Map((await chain.headers(from, to)).map((header) => [header.number, header.hash]));
    const ancestor = commonAncestor(window, remote);
    if (ancestor !== null) {
      const above = ancestor.number === to ? lowestAbove : remote.get(ancestor.number + 1);
      if (ancestor.number < tip.number && above === undefined) throw unanswered(name, ancestor.number + 1);
      return ancestor;
    }
    lowestAbove = remote.get(from);
    if (from === floor && lowestAbove === undefined) throw unanswered(name, from);
  }
  return null;
}

/** A fork below the final height stops the chain, so one endpoint's word is not enough where two are configured. */
async function proveFinalFork({ chain, reader }: WatchChain, final: number): Promise<void> {
  const { name } = chain.definition;
  const own = await findBlock(reader, name, final);
  const agreed = await chain.finalBlock(final);
  if (agreed?.number === final && agreed.hash !== own?.hash) return;
  throw new Outage(`${name}: the endpoints do not agree on a fork below the final block ${final}`, {
    retryable: true,
  });
}

function unanswered(chain: string, number: number): Outage {
  return new Outage(`${chain}: a fork cannot be followed, the header of block ${number} was not answered`, {
    retryable: true,
  });
}
