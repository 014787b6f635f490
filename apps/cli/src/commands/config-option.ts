// The options by which commands that work on the database find their configuration.
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import type { Setup } from '../setup.ts';
import { readRunningDemo } from '../state/demo-record.ts';
import { pathsOf, stateFlag, type StateOptions, stateOption } from './state-option.ts';

export interface ConfigOptions extends StateOptions {
  readonly config?: string;
}

/** Adds the options that `onSetup` reads. */
export function withConfigOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration of the gateway; that of the running demo unless given')
    .addOption(stateOption());
}

/** Opens the setup of the configuration and hands it to `work`. The demo's own file ignores the shell's environment. */
export async function onSetup<T>(options: ConfigOptions, work: (setup: Setup) => Promise<T>): Promise<T> {
  // Loaded late, because the schema library behind the configuration takes half of the time of a short command.
  const { withSetup } = await import('../setup.ts');
  if (options.config === undefined) {
    return withSetup(readRunningDemo(pathsOf(options)).config_file, {}, work);
  }
  if (!existsSync(options.config)) throw new CommandError(`there is no file ${options.config}`);
  return withSetup(options.config, process.env, work);
}

/** The option that a printed command needs to work on the same gateway; "" for the demo in its usual folder. */
export function configFlag({ config, ...options }: ConfigOptions): string {
  return config === undefined ? stateFlag(pathsOf(options)) : ` --config ${config}`;
}
