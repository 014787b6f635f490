// A disk of its own for a database server, small enough to be filled; only where this machine lets us mount one.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Reaper } from './reaper.ts';

const SIZE_MB = 768;
const CHUNK = Buffer.alloc(1024 * 1024, 1);

export interface SmallDisk {
  /** The folder for the server's files. */
  readonly folder: string;
  /** Why the disk cannot be filled; null where it can. */
  readonly whyNot: string | null;
  /** Takes all space that is left. */
  fill(): void;
  /** Frees that space again. */
  free(): void;
}

/** Makes the folder, as a mount of its own where possible. */
export function openSmallDisk(folder: string, reaper: Reaper): SmallDisk {
  mkdirSync(folder, { mode: 0o711 });
  reaper.folder(folder);
  const options = ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0711`, 'tmpfs', folder];
  const mounted = process.platform === 'linux' ? spawnSync('mount', options, { encoding: 'utf8' }) : null;
  const whyNot =
    mounted?.status === 0
      ? null
      : mounted?.stderr.trim() || mounted?.error?.message || 'no tmpfs on this system';
  const ballast = join(folder, 'ballast');
  return {
    folder,
    whyNot,
    fill: () => {
      if (whyNot !== null) throw new Error(`the disk cannot be filled: ${whyNot}`);
      fillFile(ballast);
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

function fillFile(path: string): void {
  const file = openSync(path, 'w');
  try {
    // Large chunks first, then small ones, until none fits any more; at most the size of the mount.
    for (const size of [CHUNK.length, 4096]) {
      for (let written = 0; written <= SIZE_MB * 1024 * 1024; written += size) {
        if (!fits(file, CHUNK.subarray(0, size))) break;
      }
    }
  } finally {
    closeSync(file);
  }
}

function fits(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
