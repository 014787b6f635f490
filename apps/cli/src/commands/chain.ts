// ducat chain: how far chains are read; stops one, leads one past a deep fork, and lets one run again.
import { Command } from 'commander';
import { pauseChain } from '@ducat/gateway/flows/blocks/pause-chain';
import { resumeChain } from '@ducat/gateway/flows/blocks/resume-chain';
import { readCursors } from '@ducat/gateway/db/tables/cursors';
import { type ProviderDay, readProviderDays } from '@ducat/gateway/db/tables/operating/provider-days';
import { unixTime } from '@ducat/gateway/runtime/world';
import { CommandError } from '../command-error.ts';
import { columns } from '../terminal.ts';
import { chainRewindCommand } from './chain-rewind.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';
import { findChain } from './find-chain.ts';

/** The commands, to be added to the program. */
export function chainCommand(): Command {
  const resume = withConfigOptions(new Command('resume'))
    .description('let a stopped chain run again, after you have looked at why it stopped')
    .argument('<chain>', 'name of the chain, such as ETH')
    .action(resumeIt);
  const status = withConfigOptions(new Command('status'))
    .description('how far each chain is read and final, and why one stands still')
    .option('--json', 'the result as JSON')
    .action(showStatus);
  const pause = withConfigOptions(new Command('pause'))
    .description('stop a chain: nothing of it is read, ordered or paid out until it is resumed')
    .argument('<chain>', 'name of the chain, such as ETH')
    .requiredOption(
      '--why <text>',
      'why the chain is paused; kept with the pause and shown wherever the chain is',
    )
    .action(pauseIt);
  return new Command('chain')
    .description('operate chains')
    .addCommand(status)
    .addCommand(pause)
    .addCommand(chainRewindCommand())
    .addCommand(resume);
}

const DAY_MS = 86_400_000;
/** How long a report counts as current. The process that watches a chain writes about its providers once a minute. */
const YOUNG_MS = 5 * 60_000;

/** The providers that are not in use now, as last seen by the process that watches their chain. */
function notUsed(days: readonly ProviderDay[], nowMs: number): readonly ProviderDay[] {
  const isNewest = (one: ProviderDay) =>
    days.find(({ chain, provider }) => chain === one.chain && provider === one.provider) === one;
  return days.filter((one) => isNewest(one) && one.circuit !== 'closed' && nowMs - one.atMs < YOUNG_MS);
}

async function showStatus(options: ConfigOptions & { readonly json?: true }): Promise<void> {
  const { names, cursors, now, troubles } = await onSetup(options, async ({ config, database, world }) => ({
    names: config.chains.map(({ definition }) => definition.name),
    cursors: await readCursors(database.reader),
    now: unixTime(world),
    troubles: notUsed(
      await readProviderDays(database.reader, Math.floor((world.nowMs() - YOUNG_MS) / DAY_MS)),
      world.nowMs(),
    ),
  }));
  const states = names.map((chain) => {
    const {
      head = null,
      headTime = null,
      finalNumber = null,
      haltedReason = null,
    } = cursors.get(chain) ?? {};
    const ageS = headTime === null ? null : now - headTime;
    const providers = troubles
      .filter((trouble) => trouble.chain === chain)
      .map(({ provider, reason }) => ({ provider, reason }));
    const [number, halted] = [head?.number ?? null, haltedReason];
    return { chain, head: number, head_age_s: ageS, final: finalNumber, halted, not_used: providers };
  });
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(states)}\n`);
    return;
  }
  const rows = states.map(({ chain, head, head_age_s, final, halted }) => [
    chain,
    String(head ?? 'not read yet'),
    head_age_s === null ? '' : `${head_age_s} s ago`,
    String(final ?? ''),
    halted === null ? 'runs' : `stopped: ${halted}`,
  ]);
  const notes = states.flatMap(({ chain, not_used }) =>
    not_used.map(
      ({ provider, reason }) => `${chain}: ${provider} is not used: ${reason ?? 'no reason is known'}`,
    ),
  );
  const table = columns([['Chain', 'Newest block', 'Its time', 'Final', 'State'], ...rows]);
  process.stdout.write(`${[...table, ...notes].join('\n')}\n`);
}

async function pauseIt(typed: string, { why, ...options }: ConfigOptions & { readonly why: string }) {
  if (why.trim() === '') throw new CommandError('--why must not be empty');
  const { name, paused } = await onSetup(options, async ({ config, database, world }) => {
    const { definition } = findChain(config, typed);
    const pause = { chain: definition.name, reason: `stopped by hand: ${why}`, nowMs: world.nowMs() };
    return { name: definition.name, paused: await database.transact((tx) => pauseChain(tx, pause)) };
  });
  process.stdout.write(
    paused === 'paused' ? `${name} is stopped.\n` : `${name} had stopped before; nothing changed.\n`,
  );
}

async function resumeIt(typed: string, options: ConfigOptions): Promise<void> {
  const { name, reason } = await onSetup(options, async ({ config, database, world }) => {
    const { name } = findChain(config, typed).definition;
    return { name, reason: await database.transact((tx) => resumeChain(tx, name, world.nowMs())) };
  });
  process.stdout.write(
    reason === null
      ? `${name} was running; nothing changed.\n`
      : `${name} runs again. It had stopped because: ${reason}\n`,
  );
}
