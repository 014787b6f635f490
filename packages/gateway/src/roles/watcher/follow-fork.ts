// Follows a branch beside ours by hash to the common ancestor, and undoes our blocks above it.
import { commonAncestor, type KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockReference } from '../../chains/port/reader.ts';
import { findBlock, readWindow } from '../../db/tables/blocks.ts';
import { undoBlocks } from '../../flows/blocks/undo-blocks.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedChain, Outcome, StandingCursor } from './parts.ts';

export interface Branch {
  /** The highest known block of the branch. */
  readonly foreign: BlockReference;
  /** The block through which a provider revealed the branch; null where a quorum revealed it. */
  readonly served: BlockReference | null;
}

/**
 * Undoes our blocks that are not on the branch. Below our final block nothing is undone: there a quorum is asked, and the
 * chain halts where the quorum has another block than ours. Throws `Outage` where the branch cannot be followed, and where
 * no quorum says which side is right.
 */
export async function followFork(
  watch: LeasedChain,
  cursor: StandingCursor,
  branch: Branch,
): Promise<Outcome> {
  const { head, finalNumber, startNumber } = cursor;
  const ancestor = await findAncestor(watch, branch, finalNumber ?? startNumber ?? head.number);
  // The branch builds on our tip: it only has blocks that we do not have yet.
  if (ancestor?.hash === head.hash) return 'idle';
  if (ancestor === null && finalNumber !== null) await proveDeepFork(watch, finalNumber, branch);
  return undoAbove(watch, cursor, ancestor, 'it is not on the branch that is followed now');
}

/**
 * Undoes our blocks above the ancestor, or with null as far as the books go. The chain halts instead where a final block
 * would be undone. A provider that served an undone block is read last for a while. Otherwise a provider that serves one
 * wrong block could have that height undone for ever.
 */
export async function undoAbove(
  { chain, reader, transact, world, lease, log, observer }: LeasedChain,
  { head }: StandingCursor,
  ancestor: KnownBlock | null,
  reason: string,
): Promise<Outcome> {
  const { name } = chain.definition;
  const above = await readWindow(reader, name, (ancestor?.number ?? -1) + 1, head.number);
  const undo = { chain: name, tip: head, ancestor, nowMs: world.nowMs(), lease };
  const undone = await transact((tx) => undoBlocks(tx, undo));
  const fields = { flow: 'undo-blocks', chain: name, tip: head.number, ancestor: ancestor?.number ?? null };
  log[undone.outcome === 'halted' ? 'error' : 'warn']({ ...fields, ...undone }, 'fork');
  if (undone.outcome === 'undone') {
    observer.onReorg(name, undone.depth);
    for (const block of above) chain.reject(block, reason);
  }
  if (undone.outcome === 'halted') observer.onHalted(name);
  return undone.outcome === 'halted' || undone.outcome === 'lease-lost' ? undone.outcome : 'busy';
}

/**
 * The highest block of ours on the branch; null where the branch passes the floor beside our blocks. The branch is followed
 * by hash, so that a provider on another branch cannot lead to a wrong ancestor.
 */
async function findAncestor(
  { chain, reader }: LeasedChain,
  { foreign, served }: Branch,
  floor: number,
): Promise<KnownBlock | null> {
  const { name } = chain.definition;
  const window = await readWindow(reader, name, floor, foreign.number);
  let { number, hash } = foreign;
  for (;;) {
    const ancestor = commonAncestor(window, new Map([[number, hash]]));
    if (ancestor !== null) return ancestor;
    if (number <= floor) return null;
    const header = await chain.headerByHash(hash);
    if (header === null || header.number !== number) {
      const reason = `no provider has block ${number} ${hash}, on which it stands`;
      if (served !== null) chain.reject(served, reason);
      throw new Outage(`${name}: a fork cannot be followed, ${reason}`, { kind: 'not-yet' });
    }
    number -= 1;
    hash = header.parentHash;
  }
}

/** Returns where a quorum's final block differs from ours; throws `Outage` in any other case. */
async function proveDeepFork(
  { chain, reader, log }: LeasedChain,
  finalNumber: number,
  { foreign, served }: Branch,
): Promise<void> {
  const { name } = chain.definition;
  const what = `block ${foreign.number} ${foreign.hash} is on a fork below our final block ${finalNumber}`;
  const agreed = await chain.finalBlock(finalNumber);
  const own = agreed === null ? null : await findBlock(reader, name, agreed.number);
  if (agreed !== null && own !== null && agreed.hash !== own.hash) return;
  if (agreed?.number === finalNumber) {
    if (served !== null)
      chain.reject(served, `it is on a fork below final block ${finalNumber}, on which a quorum agrees`);
    throw new Outage(`${name}: ${what}, and a quorum still has ours`, { kind: 'invalid' });
  }
  log.error({ chain: name, block: foreign.number, final: finalNumber }, 'a fork below the final block');
  const waiting = `a quorum has to call a block of height ${finalNumber} final before anything follows from it`;
  throw new Outage(`${name}: ${what}; ${waiting}`, { kind: 'not-yet' });
}
