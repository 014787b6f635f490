// Tests of the keystore file on a real disk.
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeystore, importKeystore, openKeystore } from './keystore.ts';
import { mnemonicToSeed } from './mnemonic.ts';
import { scratchPlace } from '../testing/raw-client.ts';

const passphrase = 'violet tram under seven';
let place: Awaited<ReturnType<typeof scratchPlace>>;
let path: string;

beforeEach(async () => {
  place = await scratchPlace();
  path = join(place.folder, 'deeper', 'keystore.json');
});
afterEach(() => place.remove());

describe('a keystore', () => {
  it('is made with new words and opens to the seed of exactly those words', async () => {
    const made = await createKeystore({ path, passphrase });
    const opened = await openKeystore({ path, passphrase });
    expect(opened.keyId).toBe(made.keyId);
    expect(Buffer.from(opened.seed)).toEqual(Buffer.from(mnemonicToSeed(made.mnemonic)));
    expect(await readFile(path, 'utf8')).not.toContain(made.mnemonic.split(' ').slice(0, 2).join(' '));
  });

  it('gets the same key id and seed when its words are imported elsewhere under another passphrase', async () => {
    const made = await createKeystore({ path, passphrase });
    const copy = join(place.folder, 'copy.json');
    const other = 'nine lamps on a wet road';
    expect(await importKeystore(made.mnemonic, { path: copy, passphrase: other })).toEqual({
      keyId: made.keyId,
    });
    const seeds = [
      await openKeystore({ path, passphrase }),
      await openKeystore({ path: copy, passphrase: other }),
    ];
    expect(Buffer.from(seeds[0]!.seed)).toEqual(Buffer.from(seeds[1]!.seed));
  });

  it.skipIf(process.platform === 'win32')(
    'is private to its owner and leaves no temporary file',
    async () => {
      await createKeystore({ path, passphrase });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(join(place.folder, 'deeper'))).mode & 0o777).toBe(0o700);
      expect(await readdir(join(place.folder, 'deeper'))).toEqual(['keystore.json']);
    },
  );

  it('is never overwritten, not even when two are made at the same time', async () => {
    const outcomes = await Promise.allSettled([
      createKeystore({ path, passphrase }),
      createKeystore({ path, passphrase }),
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map((outcome) => outcome.reason.code)).toEqual(['keystore-exists']);
    const made = outcomes.find((outcome) => outcome.status === 'fulfilled');
    expect((await openKeystore({ path, passphrase })).keyId).toBe(made!.value.keyId);
    expect(await readdir(join(place.folder, 'deeper'))).toEqual(['keystore.json']);
  });

  it('leaves a file of another kind alone', async () => {
    const taken = join(place.folder, 'diary.txt');
    await writeFile(taken, 'dear diary');
    await expect(createKeystore({ path: taken, passphrase })).rejects.toMatchObject({
      code: 'keystore-exists',
    });
    expect(await readFile(taken, 'utf8')).toBe('dear diary');
  });
});

describe('an empty keystore file, as a crash between taking the name and filling it leaves', () => {
  it('is named with the way out by all who meet it', async () => {
    const empty = join(place.folder, 'empty.json');
    await writeFile(empty, '', { mode: 0o600 });
    const wayOut = expect.stringContaining(`rm ${empty}, then create or import again`);
    await expect(openKeystore({ path: empty, passphrase })).rejects.toMatchObject({
      code: 'keystore-damaged',
      message: wayOut,
    });
    await expect(createKeystore({ path: empty, passphrase })).rejects.toMatchObject({
      code: 'keystore-exists',
      message: wayOut,
    });
  });
});

describe('opening a keystore', () => {
  it('names a missing, a foreign and an oversized file', async () => {
    await expect(openKeystore({ path, passphrase })).rejects.toMatchObject({ code: 'keystore-missing' });
    const foreign = join(place.folder, 'foreign');
    await writeFile(foreign, '{"crypto":{}}', { mode: 0o600 });
    await expect(openKeystore({ path: foreign, passphrase })).rejects.toMatchObject({
      code: 'keystore-damaged',
    });
    await writeFile(foreign, ' '.repeat(1_000_000));
    await expect(openKeystore({ path: foreign, passphrase })).rejects.toMatchObject({
      code: 'keystore-damaged',
    });
  });

  it('refuses a wrong passphrase', async () => {
    await createKeystore({ path, passphrase });
    await expect(openKeystore({ path, passphrase: 'violet tram under eight' })).rejects.toMatchObject({
      code: 'wrong-passphrase',
    });
  });

  it.skipIf(process.platform === 'win32')(
    'refuses a file that others can read, and says what to run',
    async () => {
      await createKeystore({ path, passphrase });
      for (const mode of [0o640, 0o620, 0o610, 0o604, 0o602, 0o601]) {
        await chmod(path, mode);
        await expect(openKeystore({ path, passphrase }), mode.toString(8)).rejects.toMatchObject({
          code: 'keystore-exposed',
          message: expect.stringContaining(`chmod 600 ${path}`),
        });
      }
      await chmod(path, 0o400);
      expect((await openKeystore({ path, passphrase })).seed).toHaveLength(64);
    },
  );

  it('refuses outside the demo what was made for the demo', async () => {
    const demo = { path, passphrase: 'demo', allowWeak: true };
    const words = 'test test test test test test test test test test test junk';
    await expect(importKeystore(words, { path, passphrase })).rejects.toMatchObject({
      code: 'weak-mnemonic',
    });
    await expect(createKeystore({ path, passphrase: 'demo' })).rejects.toMatchObject({
      code: 'weak-passphrase',
    });
    await importKeystore(words, demo);
    expect((await openKeystore(demo)).seed).toHaveLength(64);
    await expect(openKeystore({ path, passphrase: 'demo' })).rejects.toMatchObject({
      code: 'weak-passphrase',
    });
    await expect(openKeystore({ path, passphrase })).rejects.toMatchObject({ code: 'keystore-demo' });
  });
});
