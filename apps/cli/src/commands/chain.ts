// ducat chain: lets a chain run again that the gateway has stopped.
import { Command } from 'commander';
import { resumeChain } from '@ducat/gateway/flows/blocks/resume-chain';
import { CommandError } from '../command-error.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

/** The commands, to be added to the program. */
export function chainCommand(): Command {
  const resume = withConfigOptions(new Command('resume'))
    .description('let a stopped chain run again, after you have looked at why it stopped')
    .argument('<chain>', 'name of the chain, such as ETH')
    .action(resumeIt);
  return new Command('chain').description('operate chains').addCommand(resume);
}

async function resumeIt(typed: string, options: ConfigOptions): Promise<void> {
  const { name, reason } = await onSetup(options, async ({ config, database, world }) => {
    const names = config.chains.map(({ definition }) => definition.name);
    const name = names.find((known) => known.toLowerCase() === typed.toLowerCase());
    if (name === undefined)
      throw new CommandError(`there is no chain ${typed}; configured are ${names.join(', ')}`);
    return { name, reason: await database.transact((tx) => resumeChain(tx, name, world.nowMs())) };
  });
  process.stdout.write(
    reason === null
      ? `${name} was running; nothing changed.\n`
      : `${name} runs again. It had stopped because: ${reason}\n`,
  );
}
