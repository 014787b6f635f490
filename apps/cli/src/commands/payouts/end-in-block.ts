// ducat payouts end --in-block: ends a payout by its transaction in a block that the books skipped, as a quorum has it.
import { openChain } from '@ducat/gateway/compose/open-chain';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { readSignedIds } from '@ducat/gateway/db/tables/payouts/payout-endings';
import { readPayout } from '@ducat/gateway/db/tables/payouts/payouts';
import { type EndedUnread, endUnread } from '@ducat/gateway/flows/payouts/end-unread';
import { readFinal } from '@ducat/gateway/roles/watcher/read-final';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { findChain } from '../find-chain.ts';
import { refusedStep } from './refused-step.ts';

interface InBlock {
  readonly number: number;
  readonly by: string;
  readonly reason: string;
}

/** What the payout is now. */
export async function endInBlock(
  { config, database, world }: Setup,
  tradeNo: string,
  { number, by, reason }: InBlock,
): Promise<'PAID' | 'FAIL'> {
  const { reader, transact } = database;
  const payout = await readPayout(reader, tradeNo);
  if (payout === null) throw refusedStep(tradeNo, 'unknown');
  const { definition, nodes } = findChain(config, payout.chain);
  const txIds = await readSignedIds(reader, tradeNo);
  const block = await readFinal(openChain({ definition, nodes }, { world }), number, txIds);
  if (block === null) throw new CommandError(`no quorum calls a block ${number} of ${payout.chain} final`);
  const { inclusions, transfers } = block;
  const writing = { ...createEventWriting(config, world), nowMs: world.nowMs() };
  const input = { tradeNo, chain: definition, inclusions, transfers, by, reason, ...writing };
  const ended = await transact((tx) => endUnread(tx, input));
  if (ended.outcome === 'moved') return ended.status;
  throw refusal(tradeNo, number, ended.outcome);
}

function refusal(
  tradeNo: string,
  number: number,
  outcome: Exclude<EndedUnread['outcome'], 'moved'>,
): CommandError {
  if (outcome === 'not-in-block')
    return new CommandError(`block ${number} holds no transaction of ${tradeNo}`);
  if (outcome === 'not-skipped')
    return new CommandError(
      `the books have read block ${number}, or ${tradeNo} was not open when blocks were skipped: the books decide`,
    );
  return refusedStep(tradeNo, outcome);
}
