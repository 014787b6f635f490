// Seals the seed under the operator passphrase and opens it again: scrypt, then AES-256-GCM.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { headerBytes, type Keystore, type KeystoreHeader } from './keystore-format.ts';
import { OperatorError } from '../operator-error.ts';
import { passphraseBytes } from './passphrase.ts';

/** 128 MiB and about half a second for every guess at the passphrase. */
const scryptParameters = { n: 2 ** 17, r: 8, p: 1 };

/** Encrypts the 64-byte seed with a fresh salt and nonce. The seed stays the caller's to wipe. */
export async function sealSeed(
  seed: Uint8Array,
  passphrase: string,
  about: { keyId: string; demo: boolean },
): Promise<Keystore> {
  const header: KeystoreHeader = {
    format: 'ducat-keystore',
    version: 1,
    keyId: about.keyId,
    demo: about.demo,
    kdf: { name: 'scrypt', ...scryptParameters, salt: randomBytes(32).toString('hex') },
    cipher: { name: 'aes-256-gcm', nonce: randomBytes(12).toString('hex') },
  };
  const key = await deriveSealKey(header, passphrase);
  try {
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.from(header.cipher.nonce, 'hex'));
    cipher.setAAD(headerBytes(header));
    const ciphertext = Buffer.concat([cipher.update(seed), cipher.final()]);
    return { header, ciphertext: ciphertext.toString('hex'), tag: cipher.getAuthTag().toString('hex') };
  } finally {
    key.fill(0);
  }
}

/** Decrypts the seed; the caller wipes it. Throws OperatorError 'wrong-passphrase' and says no more than that. */
export async function openSeal(keystore: Keystore, passphrase: string): Promise<Uint8Array> {
  const key = await deriveSealKey(keystore.header, passphrase);
  try {
    return openSealWithKey(keystore, key);
  } finally {
    key.fill(0);
  }
}

/** The 32-byte key that the header's parameters make of the passphrase. The caller wipes it. */
export function deriveSealKey(header: KeystoreHeader, passphrase: string): Promise<Buffer> {
  const { n, r, p, salt } = header.kdf;
  const secret = passphraseBytes(passphrase);
  // Node's default ceiling is 32 MiB; twice the block memory covers the rest of scrypt's need.
  const options = { N: n, r, p, maxmem: 256 * n * r };
  return new Promise((resolve, reject) => {
    scrypt(secret, Buffer.from(salt, 'hex'), 32, options, (error, key) => {
      secret.fill(0);
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** The second half of `openSeal`, for a key that is already derived. */
export function openSealWithKey(keystore: Keystore, key: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(keystore.header.cipher.nonce, 'hex'));
  decipher.setAAD(headerBytes(keystore.header));
  decipher.setAuthTag(Buffer.from(keystore.tag, 'hex'));
  const start = decipher.update(Buffer.from(keystore.ciphertext, 'hex'));
  try {
    return Buffer.concat([start, decipher.final()]);
  } catch {
    throw new OperatorError('wrong-passphrase', 'The passphrase does not open this keystore.');
  } finally {
    start.fill(0);
  }
}
