// ducat senders: lists the addresses that send and their progress, looks up what is open, and resumes a stopped one.
import { Command } from 'commander';
import { createSenderNonces } from '@ducat/gateway/compose/dashboard/sender-nonces';
import { findSender, listSenders } from '@ducat/gateway/db/tables/outgoing/senders';
import { readSignedBytes } from '@ducat/gateway/db/tables/outgoing/variants';
import { resumeSender } from '@ducat/gateway/flows/outgoing/resume-sender';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { blockNumber } from '../block-number.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { findChain } from '../find-chain.ts';
import { checkCommand } from './check.ts';
import { endInBlock } from './end-in-block.ts';
import { endInNoBlock } from './end-in-no-block.ts';

/** The most senders that are listed. */
const MOST = 1_000;

/** The commands, to be added to the program. */
export function sendersCommand(): Command {
  const list = withConfigOptions(new Command('list'))
    .description('list the addresses that send, how far each is, and why it is stopped')
    .action(listThem);
  const resume = withConfigOptions(new Command('resume'))
    .description('let a stopped sender go on, after you have looked at who used its key')
    .argument('<number>', 'number of the sender, as listed')
    .action(resumeIt);
  const end = withConfigOptions(new Command('end'))
    .description(
      'end a collection, funding or transfer to cold storage by the blocks that chain rewind skipped',
    )
    .argument('<subject>', 'what the transaction is for, as ducat reconcile lists it')
    .option('--in-block <number>', 'the block that holds it', blockNumber)
    .option('--in-no-block', 'no block holds it, on Tron: all that were skipped are searched')
    .requiredOption('--by <who>', 'who looked that up; kept in the audit log')
    .requiredOption('--why <text>', 'why, such as a ticket; kept in the audit log')
    .action(endIt);
  const bytes = withConfigOptions(new Command('bytes'))
    .description('print the bytes that were signed for a transaction, to broadcast them once more')
    .argument('<chain>')
    .argument('<txid>', 'its id, as ducat chain rewind lists it')
    .action(printBytes);
  return new Command('senders')
    .description('operate the addresses that send')
    .addCommand(list)
    .addCommand(checkCommand())
    .addCommand(bytes)
    .addCommand(resume)
    .addCommand(end);
}

interface EndOptions extends ConfigOptions {
  readonly inBlock?: number;
  readonly inNoBlock?: true;
  readonly by: string;
  readonly why: string;
}

async function endIt(
  id: string,
  { inBlock: number, inNoBlock, by, why: reason, ...where }: EndOptions,
): Promise<void> {
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  if ((number === undefined) === (inNoBlock === undefined))
    throw new CommandError('give one of --in-block and --in-no-block');
  if (number === undefined) {
    await onSetup(where, (setup) => endInNoBlock(setup, { id, isPayout: false, by, reason }));
    process.stdout.write(`No block holds the transaction of ${id}; it has failed.\n`);
    return;
  }
  const found = { id, number, by, reason, approvedBy: null };
  const { kind, verdict } = await onSetup(where, (setup) =>
    endInBlock(setup, found, (shown) => {
      if (shown.kind === 'payout')
        throw new CommandError(`${id} is a payout: ducat payouts end ${id} --in-block ${number}`);
    }),
  );
  process.stdout.write(`The transaction of ${kind} ${id} ${verdict}, as its block shows.\n`);
}

async function listThem(options: ConfigOptions): Promise<void> {
  const senders = await onSetup(options, ({ database }) => listSenders(database.reader, MOST));
  for (const { senderId, chain, address, nextNonce, inFlight, stoppedReason } of senders) {
    const state = stoppedReason === null ? 'running' : `stopped: ${stoppedReason}`;
    process.stdout.write(
      `${senderId}  ${chain}  ${address}  nonce ${nextNonce ?? '-'}  ${inFlight} open  ${state}\n`,
    );
  }
}

async function printBytes(typed: string, txId: string, options: ConfigOptions): Promise<void> {
  await onSetup(options, async ({ config, database }) => {
    const { definition } = findChain(config, typed);
    const bytes = await readSignedBytes(database.reader, definition.name, txId);
    if (bytes === null) throw new CommandError(`no transaction ${txId} was signed for ${definition.name}`);
    process.stdout.write(`${definition.family === 'evm' ? '0x' : ''}${bytes}\n`);
  });
}

async function resumeIt(typed: string, options: ConfigOptions): Promise<void> {
  const resumed = await onSetup(options, (setup) => resumeOne(setup, Number(typed)));
  if (resumed.outcome === 'stale') throw new CommandError('the chain went on meanwhile; try again');
  if (resumed.outcome === 'not-stopped') {
    process.stdout.write('The sender was running; nothing changed.\n');
    return;
  }
  process.stdout.write('The sender goes on.\n');
  for (const { outgoingId, subjectKind, subjectId } of resumed.failed)
    process.stdout.write(
      `${outgoingId} for ${subjectKind} ${subjectId} can never happen any more: failed.\n`,
    );
}

async function resumeOne({ config, database, world }: Setup, senderId: number) {
  const { reader, transact } = database;
  const sender = await findSender(reader, senderId);
  if (sender === null)
    throw new CommandError(`there is no sender ${senderId}; ducat senders list shows them`);
  const { chain, address, stoppedReason: reason } = sender;
  if (reason === null) return { outcome: 'not-stopped' } as const;
  const nonce = await createSenderNonces({ chains: config.chains, reader, world })(chain, address);
  if (nonce === null) throw new CommandError(`${chain} is not configured, or no block of it is final yet`);
  const input = { chain, senderId, ...nonce, reason, nowMs: world.nowMs() };
  return transact((tx) => resumeSender(tx, input));
}
