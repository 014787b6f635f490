// The keystore: the seed in one encrypted file, made once, opened at every start, never overwritten.
import { keyIdOf } from '../schemes/account-key.ts';
import { readExisting, writeNew } from './keystore-disk.ts';
import { decodeKeystore, encodeKeystore } from './keystore-format.ts';
import { checkMnemonic, createMnemonic, mnemonicToSeed } from './mnemonic.ts';
import { OperatorError } from '../operator-error.ts';
import { checkPassphrase } from './passphrase.ts';
import { openSeal, sealSeed } from './seal.ts';

export interface KeystoreOptions {
  readonly path: string;
  readonly passphrase: string;
  /** The local demo only: weak passphrases and public test phrases are taken, and the file says so for ever. */
  readonly allowWeak?: boolean;
}

/** Makes a new seed and its file. The 24 words are given back once and are kept nowhere. Throws OperatorError. */
export async function createKeystore(options: KeystoreOptions): Promise<{ keyId: string; mnemonic: string }> {
  const mnemonic = createMnemonic();
  return { keyId: await store(mnemonic, options), mnemonic };
}

/** Makes a keystore file from typed words. Throws OperatorError when the words, the passphrase or the path will not do. */
export async function importKeystore(mnemonic: string, options: KeystoreOptions): Promise<{ keyId: string }> {
  const checked = checkMnemonic(mnemonic, { allowWeak: options.allowWeak === true });
  return { keyId: await store(checked, options) };
}

/** Opens a keystore file. The caller wipes `seed` (64 bytes). Throws OperatorError. */
export async function openKeystore(options: KeystoreOptions): Promise<{ keyId: string; seed: Uint8Array }> {
  const allowWeak = options.allowWeak === true;
  checkPassphrase(options.passphrase, { allowWeak });
  const keystore = decodeKeystore(await readExisting(options.path));
  if (keystore.header.demo && !allowWeak) {
    throw new OperatorError(
      'keystore-demo',
      'This keystore was made for the local demo and is refused outside it.',
    );
  }
  const seed = await openSeal(keystore, options.passphrase);
  return { keyId: keystore.header.keyId, seed };
}

/** The key id of the seed in a keystore file, which needs no passphrase. Throws OperatorError. */
export async function readKeyId(path: string): Promise<string> {
  return decodeKeystore(await readExisting(path)).header.keyId;
}

async function store(mnemonic: string, options: KeystoreOptions): Promise<string> {
  const demo = options.allowWeak === true;
  checkPassphrase(options.passphrase, { allowWeak: demo });
  const seed = mnemonicToSeed(mnemonic);
  try {
    const keyId = keyIdOf(seed);
    const keystore = await sealSeed(seed, options.passphrase, { keyId, demo });
    await writeNew(options.path, encodeKeystore(keystore));
    return keyId;
  } finally {
    seed.fill(0);
  }
}
