// The text of a keystore file: what is in it, how it is written, and what makes it damaged.
import { createHash } from 'node:crypto';
import { exactObject } from '../exact-object.ts';
import { OperatorError } from '../operator-error.ts';

/** Everything but the sealed seed. It is readable without the passphrase and authenticated as associated data. */
export interface KeystoreHeader {
  readonly format: 'ducat-keystore';
  readonly version: 1;
  /** First 16 hex digits of the BIP-32 identifier of the master key; the same words always give the same id. */
  readonly keyId: string;
  /** Made under the demo's relaxed rules, so it may only be served with the demo flag. */
  readonly demo: boolean;
  readonly kdf: {
    readonly name: 'scrypt';
    readonly n: number;
    readonly r: number;
    readonly p: number;
    readonly salt: string;
  };
  readonly cipher: { readonly name: 'aes-256-gcm'; readonly nonce: string };
}

/** A keystore as read or about to be written; all binary fields are lower-case hex. */
export interface Keystore {
  readonly header: KeystoreHeader;
  readonly ciphertext: string;
  readonly tag: string;
}

/** No keystore is near this size; a larger file is not read at all. */
export const maxKeystoreBytes = 8192;

/** The file text. There is exactly one text per keystore, so any other spelling counts as damage. */
export function encodeKeystore(keystore: Keystore): string {
  const { header, ciphertext, tag } = keystore;
  const body = { header, ciphertext, tag };
  return `${JSON.stringify({ ...body, checksum: checksumOf(body) }, null, 2)}\n`;
}

/** The associated data: one fixed byte form of the header. */
export function headerBytes(header: KeystoreHeader): Buffer {
  return Buffer.from(JSON.stringify(header), 'utf8');
}

/**
 * Reads the file text back. Throws OperatorError 'keystore-damaged' when a single bit differs from what was written,
 * 'keystore-unsupported' when it is whole but of another version or with key derivation outside the accepted bounds.
 * The checksum distinguishes damage from a wrong passphrase; it is no protection against tampering, the seal is.
 */
export function decodeKeystore(text: string): Keystore {
  const file = exactObject(parse(text), ['header', 'ciphertext', 'tag', 'checksum']);
  if (file === undefined) throw damaged();
  const { checksum, ...body } = file;
  if (checksum !== checksumOf(body)) throw damaged();
  const header = readHeader(body.header);
  const ciphertext = readHex(body.ciphertext, 64);
  const tag = readHex(body.tag, 16);
  const keystore = { header, ciphertext, tag };
  if (encodeKeystore(keystore) !== text) throw damaged();
  return keystore;
}

function readHeader(value: unknown): KeystoreHeader {
  const header = exactObject(value, ['format', 'version', 'keyId', 'demo', 'kdf', 'cipher']);
  if (header === undefined || header.format !== 'ducat-keystore') throw damaged();
  if (header.version !== 1) throw unsupported('another version of the format');
  const cipher = exactObject(header.cipher, ['name', 'nonce']);
  if (cipher === undefined || cipher.name !== 'aes-256-gcm') throw unsupported('another cipher');
  if (typeof header.demo !== 'boolean') throw damaged();
  return {
    format: 'ducat-keystore',
    version: 1,
    keyId: readHex(header.keyId, 8),
    demo: header.demo,
    kdf: readKdf(header.kdf),
    cipher: { name: 'aes-256-gcm', nonce: readHex(cipher.nonce, 12) },
  };
}

/** The bounds keep a prepared file from weakening the derivation or from eating the machine's memory (at most 1 GiB). */
function readKdf(value: unknown): KeystoreHeader['kdf'] {
  const kdf = exactObject(value, ['name', 'n', 'r', 'p', 'salt']);
  if (kdf === undefined || kdf.name !== 'scrypt') throw unsupported('another key derivation');
  const { n, r, p } = kdf;
  if (typeof n !== 'number' || ![2 ** 17, 2 ** 18, 2 ** 19, 2 ** 20].includes(n))
    throw unsupported('scrypt parameter n');
  if (r !== 8) throw unsupported('scrypt parameter r');
  if (typeof p !== 'number' || ![1, 2, 3, 4].includes(p)) throw unsupported('scrypt parameter p');
  return { name: 'scrypt', n, r, p, salt: readHex(kdf.salt, 32) };
}

function readHex(value: unknown, bytes: number): string {
  if (typeof value !== 'string' || value.length !== bytes * 2 || !/^[0-9a-f]*$/.test(value)) throw damaged();
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the input, so it is not passed on.
    throw damaged();
  }
}

function checksumOf(body: { header: unknown; ciphertext: unknown; tag: unknown }): string {
  const { header, ciphertext, tag } = body;
  return createHash('sha256').update(JSON.stringify({ header, ciphertext, tag }), 'utf8').digest('hex');
}

function damaged(): OperatorError {
  return new OperatorError(
    'keystore-damaged',
    'The keystore file is damaged. Restore it from a copy, or import the words again.',
  );
}

function unsupported(what: string): OperatorError {
  return new OperatorError(
    'keystore-unsupported',
    `The keystore file uses ${what}, which this version does not read.`,
  );
}
