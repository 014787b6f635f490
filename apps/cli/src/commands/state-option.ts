// The option that says which demo a command means.
import { relative } from 'node:path';
import { Option } from 'commander';
import { type StatePaths, statePaths } from '../state/state-paths.ts';

const DEFAULT_FOLDER = '.ducat';

export interface StateOptions {
  readonly state: string;
}

/** `--state <folder>`, or DUCAT_STATE, or .ducat in the current folder. */
export function stateOption(): Option {
  return new Option('--state <folder>', 'state folder of the demo')
    .env('DUCAT_STATE')
    .default(DEFAULT_FOLDER);
}

export function pathsOf(options: StateOptions): StatePaths {
  return statePaths(options.state);
}

/** The option that a printed command needs to mean the same demo; "" with the usual folder. */
export function stateFlag(paths: StatePaths): string {
  const folder = relative(process.cwd(), paths.folder);
  if (folder === DEFAULT_FOLDER) return '';
  return ` --state ${/^[\w./\\:-]+$/.test(paths.folder) ? paths.folder : JSON.stringify(paths.folder)}`;
}
