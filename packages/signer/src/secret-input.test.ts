// Which modes of a file keep a secret, by what the file is guarded from.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GuardedFile, readSecretFile } from './secret-input.ts';
import { scratchPlace } from './testing/raw-client.ts';

let place: Awaited<ReturnType<typeof scratchPlace>>;
beforeEach(async () => {
  place = await scratchPlace();
});
afterEach(() => place.remove());

const modes = [
  0o400, 0o600, 0o610, 0o620, 0o640, 0o660, 0o601, 0o602, 0o604, 0o606, 0o644, 0o664, 0o646, 0o666,
];
/** Service managers hand credentials over as files of root that root's own group may read. */
const byRoot = process.getuid?.() === 0 && process.getgid?.() === 0 ? [0o640] : [];
const inOctal = (all: readonly number[]) => all.toSorted((a, b) => a - b).map((mode) => mode.toString(8));
const taken: Readonly<Record<GuardedFile['guard'], readonly number[]>> = {
  private: [0o400, 0o600, ...byRoot],
  unwritable: [0o400, 0o600, 0o610, 0o640, 0o601, 0o604, 0o644],
  none: modes,
};

describe.skipIf(process.platform === 'win32')('a file with a secret', () => {
  it.each(['private', 'unwritable', 'none'] as const)(
    'that is guarded as %s is read in these modes alone',
    async (guard) => {
      const path = join(place.folder, 'secret');
      await writeFile(path, 'correct horse\n');
      const read: number[] = [];
      for (const mode of modes) {
        await chmod(path, mode);
        const text = await readSecretFile(path, { what: 'the secret', maxBytes: 100, guard }).catch(
          ({ code }: { code: string }) => code,
        );
        if (text === 'correct horse') read.push(mode);
        else expect([mode.toString(8), text]).toEqual([mode.toString(8), 'file-exposed']);
      }
      expect(inOctal(read)).toEqual(inOctal(taken[guard]));
    },
  );
});
