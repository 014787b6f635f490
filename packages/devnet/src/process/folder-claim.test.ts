// Shows who may drive a folder: the first live process, and the next one after it died.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFolder, liveOwner } from './folder-claim.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-claim-'));
  file = join(folder, 'claim');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('claimFolder', () => {
  it('gives the folder to one owner at a time', () => {
    const release = claimFolder(file, 'the folder');
    expect(liveOwner(file)).toBe(process.pid);
    expect(() => claimFolder(file, 'the folder')).toThrow(`the folder is in use by process ${process.pid}`);
    expect(readdirSync(folder)).toEqual(['claim']);
    release();
    expect(existsSync(file)).toBe(false);
    claimFolder(file, 'the folder')();
  });

  it.each([
    [
      'of a dead process',
      () => JSON.stringify({ pid: spawnSync(process.execPath, ['-e', '0']).pid, startedAt: '1' }),
    ],
    [
      'of an older process with our number',
      () => JSON.stringify({ pid: process.pid, startedAt: 'long ago' }),
    ],
    ['that is torn', () => '{"pid":'],
  ])('takes over a claim %s', (_name, content) => {
    writeFileSync(file, content());
    claimFolder(file, 'the folder');
    expect(liveOwner(file)).toBe(process.pid);
  });
});
