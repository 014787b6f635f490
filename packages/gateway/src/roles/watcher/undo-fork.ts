// Finds the block that our chain and a foreign branch still share, and rolls back to it.
import { commonAncestor, type KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockReference } from '../../chains/port.ts';
import { undoBlocks } from '../../flows/blocks/undo-blocks.ts';
import { Outage } from '../../runtime/outage.ts';
import { findBlock, readWindow } from '../../db/tables/blocks.ts';
import { readCursors } from '../../db/tables/cursors.ts';
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

/** So long may nobody know what a block stands on, as nodes behind one address do not all have it at once. */
const UNFOLLOWED_MS = 15_000;
/** Since when forks cannot be followed, and under which tip. */
const unfollowed = new WeakMap<LeasedChain, { readonly tip: string; readonly sinceMs: number }>();

/**
 * Follows the branch of a foreign block down to ours, and undoes what of ours lies above. `told` is the block that led
 * there; null where that was what two endpoints call final.
 */
export async function undoFork(
  watch: LeasedChain,
  tip: KnownBlock,
  foreign: BlockReference,
  told: BlockReference | null,
): Promise<Step> {
  const { chain, transact, reader, world, lease, log, observer } = watch;
  const { name } = chain.definition;
  const cursor = (await readCursors(reader)).get(name);
  const final = cursor?.finalNumber ?? null;
  const floor = final ?? cursor?.startNumber ?? tip.number;
  const ancestor = await findAncestor(watch, { foreign, told, floor }).catch((error: unknown) =>
    doubtUnfollowed(watch, tip, told, error),
  );
  unfollowed.delete(watch);
  // Nothing of ours lies beside that branch; it has only more than we have, and is looked at again later.
  if (ancestor?.hash === tip.hash) return 'idle';
  if (ancestor === null && final !== null) await proveFinalFork(watch, final, told);
  const lowest = ancestor === null ? floor : ancestor.number + 1;
  const lost = await findBlock(reader, name, lowest);
  const isOften = isOftenUndone(watch, lowest);
  if (isOften && told !== null) await chain.confirmBlock(told, 'undoes another one', 'disagreement');
  const undo = { chain: name, tip, ancestor, nowMs: world.nowMs(), lease };
  const undone = await transact((tx) => undoBlocks(tx, undo));
  log.warn(
    { flow: 'undo-blocks', chain: name, tip: tip.number, ancestor: ancestor?.number ?? null, ...undone },
    'fork',
  );
  if (undone.outcome === 'undone') {
    observer.onReorg(name, undone.depth);
    noteUndone(watch, lowest);
    if (isOften && lost !== null) await chain.confirmBlock(lost, 'is followed by none', 'disagreement');
  }
  if (undone.outcome === 'halted') observer.onHalted(name);
  return undone.outcome === 'halted' || undone.outcome === 'lease-lost' ? undone.outcome : 'busy';
}

interface Branch {
  readonly foreign: BlockReference;
  /** See undoFork. */
  readonly told: BlockReference | null;
  /** No block below it is looked for. */
  readonly floor: number;
}

/**
 * The highest block of ours on the branch of the foreign one; null where that branch passes the floor beside ours.
 * The branch is followed by hash, so that no endpoint on another branch, behind or lying, can lead astray;
 * where that takes long, only as long as somebody else has what it led from.
 */
async function findAncestor(
  { chain, reader, world }: LeasedChain,
  { foreign, told, floor }: Branch,
): Promise<KnownBlock | null> {
  const { name } = chain.definition;
  const window = await readWindow(reader, name, floor, foreign.number);
  let { number, hash } = foreign;
  let askedAtMs = world.nowMs();
  while (number >= floor) {
    const ancestor = commonAncestor(window, new Map([[number, hash]]));
    if (ancestor !== null) return ancestor;
    if (number === floor) break;
    if (told !== null && Math.abs(world.nowMs() - askedAtMs) >= UNFOLLOWED_MS) {
      await chain
        .confirmBlock(told, 'stands on what takes long to tell', 'disagreement')
        .catch(ifContradicted);
      askedAtMs = world.nowMs();
    }
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

/** Where the others only do not answer, a branch is followed all the same. */
function ifContradicted(error: unknown): void {
  if (!(error instanceof Outage) || error.kind === 'disagreement') throw error;
}

/** Whoever goes on telling a block that stands on nothing rests where two others have another one. Throws in any case. */
async function doubtUnfollowed(
  watch: LeasedChain,
  tip: KnownBlock,
  told: BlockReference | null,
  error: unknown,
): Promise<never> {
  if (!(error instanceof Outage) || told === null) throw error;
  const { chain, world } = watch;
  const nowMs = world.nowMs();
  const before = unfollowed.get(watch);
  if (before?.tip !== tip.hash) unfollowed.set(watch, { tip: tip.hash, sinceMs: nowMs });
  else if (Math.abs(nowMs - before.sinceMs) >= UNFOLLOWED_MS)
    await chain.confirmBlock(told, 'stands on none that anybody has', 'disagreement');
  throw error;
}

/** A fork below the final height stops the chain, so one endpoint's word is not enough where two are configured. */
async function proveFinalFork(
  { chain, reader }: LeasedChain,
  final: number,
  told: BlockReference | null,
): Promise<void> {
  const { name } = chain.definition;
  const own = await findBlock(reader, name, final);
  const agreed = await chain.finalBlock(final);
  if (agreed?.number === final && agreed.hash !== own?.hash) return;
  if (agreed?.number === final && told !== null)
    await chain.confirmBlock(told, `does not stand on final block ${final}`, 'disagreement');
  throw new Outage(`${name}: the endpoints do not agree on a fork below the final block ${final}`, {
    retryable: true,
  });
}

/** So many forks near each other may be the chain's own. More may be one endpoint's, told without end, so two are asked. */
const OWN_FORKS = 4;
const NEAR_BLOCKS = 128;
/** From where on blocks were undone. */
const undoneFrom = new WeakMap<LeasedChain, readonly number[]>();

function nearbyUndone(watch: LeasedChain, number: number): readonly number[] {
  return (undoneFrom.get(watch) ?? []).filter((one) => Math.abs(one - number) < NEAR_BLOCKS);
}

function isOftenUndone(watch: LeasedChain, number: number): boolean {
  return nearbyUndone(watch, number).length >= OWN_FORKS;
}

function noteUndone(watch: LeasedChain, number: number): void {
  undoneFrom.set(watch, [...nearbyUndone(watch, number), number].slice(-OWN_FORKS));
}
