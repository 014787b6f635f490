// The app and the gateway that a command calls: the demo's, unless options name others.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Ducat } from '@ducat/sdk';
import { CommandError } from './command-error.ts';
import { pathsOf, stateFlag, type StateOptions, stateOption } from './commands/state-option.ts';
import { type DemoAccess, readRunningDemo } from './state/demo-record.ts';
import type { StatePaths } from './state/state-paths.ts';

export interface AppOptions extends StateOptions {
  readonly baseUrl?: string;
  readonly appId?: string;
  readonly appKeyFile?: string;
}

export interface AppAccess {
  readonly baseUrl: string;
  readonly appId: string;
  readonly appKey: string;
  readonly paths: StatePaths;
  /** The running demo; undefined where base URL, AppId and AppKey were all given. */
  readonly demo: DemoAccess | undefined;
  /** The options that the next command has to repeat to mean the same; "" for none. */
  readonly flags: string;
}

/** Adds the options that `openAccess` reads. */
export function withAppOptions(command: Command): Command {
  return command
    .addOption(stateOption())
    .option('--base-url <url>', 'address of the API; the demo unless given')
    .option('--app-id <id>', 'AppId; that of the demo unless given')
    .option('--app-key-file <file>', 'file that holds the AppKey; that of the demo unless given');
}

/** The app that the options name, or the demo's. Throws a CommandError where the demo is needed and does not run. */
export function openAccess(options: AppOptions): AppAccess {
  const { baseUrl, appId, appKeyFile } = options;
  if ((appId === undefined) !== (appKeyFile === undefined)) {
    throw new CommandError('--app-id and --app-key-file belong together: give both or neither');
  }
  const paths = pathsOf(options);
  const isWhole = baseUrl !== undefined && appId !== undefined;
  const demo = isWhole ? undefined : readRunningDemo(paths);
  return {
    baseUrl: baseUrl ?? demo?.base_url ?? '',
    appId: appId ?? demo?.app_id ?? '',
    appKey: appKeyFile === undefined ? (demo?.app_key ?? '') : readKey(appKeyFile),
    paths,
    demo,
    flags: [
      stateFlag(paths),
      ...(baseUrl === undefined ? [] : [` --base-url ${baseUrl}`]),
      ...(appId === undefined ? [] : [` --app-id ${appId} --app-key-file ${appKeyFile ?? ''}`]),
    ].join(''),
  };
}

/** A client of the SDK for this app. */
export function clientOf({ baseUrl, appId, appKey }: AppAccess): Ducat {
  return new Ducat({ baseUrl, appId, appKey });
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new CommandError(`the AppKey file ${file} cannot be read`, { cause });
  }
}
