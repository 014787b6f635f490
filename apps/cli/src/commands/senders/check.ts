// ducat senders check: what became of open transactions, by the books and the chain, also while no payer runs.
import { Command } from 'commander';
import { openChainWriter } from '@ducat/gateway/compose/open-chain';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import { type LookedAtOpen, lookAtOpen } from '@ducat/gateway/roles/payer/look-at-open';
import { Outage } from '@ducat/gateway/runtime/outage';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { COULD_NOT_LOOK, couldNotLook } from '../could-not-look.ts';

/** The exit code where a person has something to do. */
const TO_DO = 1;

/** The command, to be added to `ducat senders`. */
export function checkCommand(): Command {
  return withConfigOptions(new Command('check'))
    .description(
      'look up open transactions and send nothing: a sender whose nonce another one used is stopped, what expired waits again; exit code 0 nothing to do, 1 something to do, 3 could not look',
    )
    .action(check);
}

type Looked = LookedAtOpen | { readonly trouble: string };

async function check(options: ConfigOptions): Promise<void> {
  const looked = await onSetup(options, lookAtAll).catch(couldNotLook);
  const exitCode = exitCodeOf(looked);
  if (exitCode !== 0) process.exitCode = exitCode;
}

async function lookAtAll(setup: Setup): Promise<readonly Looked[]> {
  const { chains } = setup.config;
  if (chains.length === 0) throw new CommandError('the configuration names no chain that is on');
  const all: Looked[] = [];
  for (const chain of chains) {
    const looked = await lookAt(setup, chain);
    process.stdout.write(`${linesOf(chain.definition.name, looked).join('\n')}\n`);
    all.push(looked);
  }
  return all;
}

async function lookAt({ database, world }: Setup, configured: ConfiguredChain): Promise<Looked> {
  const { definition } = configured;
  const { reader, transact } = database;
  try {
    const writer = openChainWriter(configured, { world });
    return await lookAtOpen({ definition, writer, reader, transact, world });
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return { trouble: error.message };
  }
}

function exitCodeOf(all: readonly Looked[]): number {
  const isToDo = all.some((one) => !('trouble' in one) && (one.stopped.length > 0 || one.open.some(isStuck)));
  if (isToDo) return TO_DO;
  return all.some((one) => 'trouble' in one) ? COULD_NOT_LOOK : 0;
}

/** Whether neither a block that is read nor a later one ends it. */
function isStuck({ outlook, inBlock }: LookedAtOpen['open'][number]): boolean {
  return outlook === 'held' ? inBlock === null : outlook !== 'open';
}

function linesOf(chain: string, looked: Looked): readonly string[] {
  if ('trouble' in looked) return [`${chain}: could not look: ${looked.trouble}`];
  const { at, open, stopped } = looked;
  if (at === null) return [`${chain}: no transaction is open`];
  const rows = open.map((one) => [
    String(one.senderId),
    one.kind,
    one.subjectId,
    one.nonce === null ? '-' : String(one.nonce),
    one.txId ?? 'not signed here',
    foundOf(one),
  ]);
  return [
    `${chain}, at final block ${at}`,
    ...columns([['SENDER', 'OF', '', 'NONCE', 'TRANSACTION', 'FOUND'], ...rows], '  '),
    ...stopped.map(({ senderId, reason }) => `  Sender ${senderId} is stopped: ${reason}`),
  ];
}

function foundOf({ outlook, inBlock, waitsAgain }: LookedAtOpen['open'][number]): string {
  switch (outlook) {
    case 'held':
      if (inBlock === null) return 'moved something in a block, with no inclusion in the books';
      return `in block ${inBlock.number}, ${inBlock.status}; ends when that block is final`;
    case 'unread':
      return 'in no block that was read; a skipped block may hold it';
    case 'overtaken':
      return 'in no block; another transaction used its nonce';
    case 'expired':
      return `in no block; expired${waitsAgain ? ', and waits again' : ''}`;
    case 'open':
      return 'in no block; may still be included';
  }
}
