// Settles what one transaction could not, until nothing that is final waits, also where no new block comes.
import { finalByCount } from '@ducat/core/chain/chain';
import type { BlockReference } from '../../chains/port.ts';
import { settleFinal } from '../../flows/blocks/accept-block.ts';
import type { ChainCursor } from '../../db/tables/cursors.ts';
import { hasSeenUpTo } from '../../db/tables/transfers/settle-transfers.ts';
import type { LeasedChain, Step } from './parts.ts';

/** Transactions of one step; the next step or block goes on. */
const MAX_ROUNDS = 50;

/** At a head that stands, finality is asked this often while something waits for it; each new block asks it anyway. */
const ASK_EVERY_MS = 15_000;

/** Walks whose chain is known to have nothing left over, from a process before or from an outage in the middle. */
const caughtUp = new WeakSet<LeasedChain>();
/** When it was last found that something waits, on walks where nothing has changed since. */
const foundWaitingAtMs = new WeakMap<LeasedChain, number>();

/** Said after a block, and before a settlement that may end in the middle: what waits has changed, or is done in part. */
export function doubtCaughtUp(watch: LeasedChain): void {
  caughtUp.delete(watch);
  foundWaitingAtMs.delete(watch);
}

/** Settles up to the final block, with the head at `head`. Returns what the step came to, null where all is settled. */
export async function settleRest(
  watch: LeasedChain,
  head: number,
  final: BlockReference,
): Promise<Step | null> {
  const { chain, transact, world, encode, newEventId, lease, log, observer } = watch;
  const { definition } = chain;
  doubtCaughtUp(watch);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const nowMs = world.nowMs();
    const input = { chain: definition, final, encode, newEventId, nowMs, lease };
    const done = await transact((tx) => settleFinal(tx, input));
    log.info({ flow: 'settle-final', chain: definition.name, final: final.number, ...done }, 'settled');
    if (done.outcome === 'halted' || done.outcome === 'lease-lost') return done.outcome;
    // The next block tells which branch is right.
    if (done.outcome === 'fork') return 'idle';
    observer.onAccepted(definition.name, head, { outcome: 'accepted', seen: 0, settled: done.settled });
    if (!done.settled.isBehind) return null;
  }
  return 'busy';
}

/**
 * Whether something may be left over: looked up once for each walk, and now and then while it cannot be settled. Where no
 * payment waits, orders that time out still do; but not from the first look on, as the next block mostly comes sooner.
 */
export async function mayBeBehind(watch: LeasedChain, { head, finalNumber }: ChainCursor): Promise<boolean> {
  if (caughtUp.has(watch) || head === null) return false;
  const { reader, chain, world } = watch;
  const nowMs = world.nowMs();
  const foundAtMs = foundWaitingAtMs.get(watch);
  // Either way: a clock that was put back must not stop it.
  if (foundAtMs !== undefined && Math.abs(nowMs - foundAtMs) < ASK_EVERY_MS) return false;
  const byCount = finalByCount(chain.definition, head.number);
  const isWaitedFor = await hasSeenUpTo(reader, chain.definition.name, byCount);
  if (!isWaitedFor && (finalNumber ?? -1) >= byCount) {
    caughtUp.add(watch);
    return false;
  }
  foundWaitingAtMs.set(watch, nowMs);
  return isWaitedFor || foundAtMs !== undefined;
}
