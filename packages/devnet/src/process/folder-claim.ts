// Makes sure that only one process at a time uses a state folder.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findRunningProcess } from './running-process.ts';

/**
 * Claims a state folder for this process by a file at `claimFile`. Throws an Error that names the owner when a live
 * process holds the claim. The claim of a dead process is taken over. Returns the function that releases the claim.
 */
export function claimFolder(claimFile: string, what: string): () => void {
  const self = findRunningProcess(process.pid);
  const claim = JSON.stringify({ pid: process.pid, startedAt: self?.startedAt ?? '' });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      putWhole(claimFile, claim);
      return () => rmSync(claimFile, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const ownerPid = liveOwner(claimFile);
    if (ownerPid !== undefined) {
      throw new Error(`${what} is in use by process ${ownerPid}; end that first (claim file ${claimFile})`);
    }
    rmSync(claimFile, { force: true });
  }
  throw new Error(`could not claim ${what}: ${claimFile} keeps reappearing`);
}

/** The process id that holds a claim file, or undefined when its owner is gone or the file is unreadable. */
export function liveOwner(claimFile: string): number | undefined {
  let claim: unknown;
  try {
    claim = JSON.parse(readFileSync(claimFile, 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof claim !== 'object' || claim === null || !('pid' in claim) || !('startedAt' in claim))
    return undefined;
  if (typeof claim.pid !== 'number') return undefined;
  const running = findRunningProcess(claim.pid);
  return running !== undefined && running.startedAt === claim.startedAt ? claim.pid : undefined;
}

/** Creates the file with its content in one step, so that no process ever reads half a claim; throws EEXIST. */
function putWhole(path: string, content: string): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, content, { mode: 0o644 });
  try {
    linkSync(fresh, path);
  } finally {
    rmSync(fresh);
  }
}
