// Lets blocks become final and settles their transfers, also while the head stands still and no new block comes.
import type { BlockReference } from '../../chains/port/reader.ts';
import { findBlock } from '../../db/tables/blocks.ts';
import { settleFinal } from '../../flows/blocks/settle-final.ts';
import { Outage } from '../../runtime/outage.ts';
import { findFinality } from './finality.ts';
import { followFork, undoAbove } from './follow-fork.ts';
import type { LeasedChain, Outcome, StandingCursor } from './parts.ts';
import { reportEnded, reportSettled } from './report.ts';

/** Database transactions in one step; the next step goes on. */
const MAX_ROUNDS = 50;

/**
 * Settles what a quorum calls final. Without a usable answer nothing becomes final, but reading goes on. Such an outage is
 * reported here.
 */
export async function settle(watch: LeasedChain, cursor: StandingCursor): Promise<Outcome> {
  const { chain, log, observer } = watch;
  const { name } = chain.definition;
  const report = (outage: Outage): void => {
    observer.onOutage(name, outage.kind);
    log.warn({ chain: name, error: outage }, 'nothing more becomes final');
  };
  try {
    const { final, wrong, outage } = await findFinality(watch, cursor);
    if (outage !== null) report(outage);
    if (wrong !== null) return await undoWrong(watch, cursor, wrong);
    return final === null ? 'idle' : await settleUpTo(watch, cursor, final);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    report(error);
    return 'idle';
  }
}

async function settleUpTo(
  watch: LeasedChain,
  cursor: StandingCursor,
  final: BlockReference,
): Promise<Outcome> {
  const { chain, transact, world, log } = watch;
  const { definition } = chain;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const input = { ...watch, chain: definition, final, nowMs: world.nowMs() };
    const done = await transact((tx) => settleFinal(tx, input));
    if (done.outcome === 'halted' || done.outcome === 'lease-lost') return done.outcome;
    if (done.outcome === 'fork') return followFork(watch, cursor, { foreign: final, served: null });
    if (done.outcome === 'unnamed') {
      const below = await findBlock(watch.reader, definition.name, done.block - 1);
      return undoAbove(watch, cursor, below, 'it was read before a transaction of ours in it was known');
    }
    const { settled, ended, isBehind } = done;
    const fields = { flow: 'settle-final', chain: definition.name, final: final.number, isBehind };
    log[settled.transfers > 0 ? 'info' : 'debug']({ ...fields, transfers: settled.transfers }, 'settled');
    reportSettled(watch, settled);
    reportEnded(watch, ended);
    if (!isBehind) return 'idle';
  }
  return 'busy';
}

/** Undoes a block that differs from a quorum's report, with all blocks above it, so that they are read again. */
async function undoWrong(
  watch: LeasedChain,
  cursor: StandingCursor,
  wrong: BlockReference,
): Promise<Outcome> {
  const { chain, reader, log } = watch;
  const { name } = chain.definition;
  const reason = 'a quorum reports something else of this final block than was read of it';
  log.error({ chain: name, block: wrong.number, hash: wrong.hash }, reason);
  return undoAbove(watch, cursor, await findBlock(reader, name, wrong.number - 1), reason);
}
