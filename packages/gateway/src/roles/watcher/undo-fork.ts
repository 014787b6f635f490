// Finds the block that our chain and the nodes still share, and rolls back to it.
import { commonAncestor, type KnownBlock } from '@ducat/core/chain/local-chain';
import { undoBlocks } from '../../flows/undo-blocks.ts';
import { findBlock, readWindow } from '../../store/blocks.ts';
import type { Step, WatchChain } from './watch-chain.ts';

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
  const { chain, transact, world, log, observer } = watch;
  const { name } = chain.definition;
  const ancestor = await findAncestor(watch, tip);
  // The nodes are back on our branch, or cannot agree among themselves: nothing to undo, look again later.
  if (ancestor !== null && ancestor.hash === tip.hash) return 'idle';
  const undone = await transact((tx) => undoBlocks(tx, { chain: name, tip, ancestor, nowMs: world.nowMs() }));
  log.warn(
    { flow: 'undo-blocks', chain: name, tip: tip.number, ancestor: ancestor?.number ?? null, ...undone },
    'fork',
  );
  if (undone.outcome === 'undone') observer.onReorg(name, undone.depth);
  if (undone.outcome === 'halted') observer.onHalted(name);
  return undone.outcome === 'halted' ? 'halted' : 'busy';
}

async function findAncestor({ chain, reader }: WatchChain, tip: KnownBlock): Promise<KnownBlock | null> {
  const { name, windowBlocks } = chain.definition;
  const floor = Math.max(0, tip.number - windowBlocks);
  for (let to = tip.number; to >= floor; to -= STRIDE) {
    const from = Math.max(floor, to - STRIDE + 1);
    const window = await readWindow(reader, name, from, to);
    const remote = new Map((await chain.headers(from, to)).map((header) => [header.number, header.hash]));
    const ancestor = commonAncestor(window, remote);
    if (ancestor !== null) return ancestor;
  }
  return null;
}
