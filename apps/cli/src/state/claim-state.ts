// Lets one `ducat start` at a time drive a state folder.
import { claimFolder, liveOwner } from '@ducat/devnet/process/folder-claim';
import { CommandError } from '../command-error.ts';
import type { StatePaths } from './state-paths.ts';

/** Claims the folder and returns the function that releases it. Throws with the process id of a start that is running. */
export function claimState(paths: StatePaths): () => void {
  const owner = liveOwner(paths.claim);
  if (owner !== undefined) throw alreadyRunning(paths, owner);
  try {
    return claimFolder(paths.claim, `the state folder ${paths.folder}`);
  } catch (error) {
    const winner = liveOwner(paths.claim);
    throw winner === undefined ? error : alreadyRunning(paths, winner);
  }
}

/** The process id of the start that has the folder now, or undefined. */
export function runningStart(paths: StatePaths): number | undefined {
  return liveOwner(paths.claim);
}

function alreadyRunning(paths: StatePaths, owner: number): CommandError {
  return new CommandError(
    `a demo is already running on ${paths.folder} (process ${owner}).\n` +
      '  Use it from this terminal: npx ducat demo\n' +
      `  Or stop it first: Ctrl-C in its terminal, or kill ${owner}\n` +
      '  Or start a second one with a folder of its own: --state .ducat-2',
  );
}
