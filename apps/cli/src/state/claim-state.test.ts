// One start at a time on a state folder.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claimState, runningStart } from './claim-state.ts';
import { statePaths } from './state-paths.ts';

it('a state folder has one owner; that of a dead process is taken over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-claim-'));
  try {
    const paths = statePaths(folder);
    expect(runningStart(paths)).toBeUndefined();
    const release = claimState(paths);
    expect(runningStart(paths)).toBe(process.pid);
    expect(() => claimState(paths)).toThrow(
      `a demo is already running on ${folder} (process ${process.pid})`,
    );
    release();
    expect(runningStart(paths)).toBeUndefined();
    // Our own pid with another start time: the owner is dead, and its pid was given to another process.
    writeFileSync(paths.claim, JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
    claimState(paths)();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a deep state folder gets a socket with a short path', () => {
  const deep = statePaths(join('/', 'x'.repeat(60), 'y'.repeat(60)));
  expect(Buffer.byteLength(deep.signerSocket)).toBeLessThanOrEqual(103);
  expect(deep.signerSocket).not.toBe(statePaths(join('/', 'x'.repeat(60), 'z'.repeat(60))).signerSocket);
});
