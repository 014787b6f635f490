// Tests that a sealed seed opens with its passphrase only and that no changed bit goes unnoticed.
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeKeystore, encodeKeystore, type Keystore } from './keystore-format.ts';
import { deriveSealKey, openSeal, openSealWithKey, sealSeed } from './seal.ts';

const passphrase = 'violet tram under seven';
const seed = randomBytes(64);
let keystore: Keystore;
let key: Buffer;

beforeAll(async () => {
  keystore = await sealSeed(seed, passphrase, { keyId: '00112233aabbccdd', demo: false });
  key = await deriveSealKey(keystore.header, passphrase);
});

describe('a sealed seed', () => {
  it('opens with its passphrase after being written and read', async () => {
    const read = decodeKeystore(encodeKeystore(keystore));
    expect(Buffer.from(await openSeal(read, passphrase))).toEqual(seed);
  });

  it('does not open with another passphrase, and the error says nothing else', async () => {
    await expect(openSeal(keystore, `${passphrase} `)).rejects.toThrow(
      expect.objectContaining({
        code: 'wrong-passphrase',
        message: 'The passphrase does not open this keystore.',
      }),
    );
  });

  it('does not contain the seed and never uses a salt or nonce twice', async () => {
    expect(encodeKeystore(keystore)).not.toContain(seed.subarray(0, 8).toString('hex'));
    const again = await sealSeed(seed, passphrase, { keyId: '00112233aabbccdd', demo: false });
    expect(again.header.kdf.salt).not.toBe(keystore.header.kdf.salt);
    expect(again.header.cipher.nonce).not.toBe(keystore.header.cipher.nonce);
    expect(again.ciphertext).not.toBe(keystore.ciphertext);
  });
});

describe('a changed keystore file', () => {
  it('is refused as damaged for every single flipped bit', () => {
    const bytes = Buffer.from(encodeKeystore(keystore));
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = flipped[bit >> 3]! ^ (1 << (bit & 7));
      expect(() => decodeKeystore(flipped.toString('utf8')), `bit ${bit}`).toThrow(
        expect.objectContaining({ code: 'keystore-damaged' }),
      );
    }
  });

  it('is refused as damaged for every cut and for padding', () => {
    const text = encodeKeystore(keystore);
    for (let length = 0; length < text.length; length += 1) {
      expect(() => decodeKeystore(text.slice(0, length))).toThrow(
        expect.objectContaining({ code: 'keystore-damaged' }),
      );
    }
    expect(() => decodeKeystore(`${text} `)).toThrow(/damaged/);
    expect(() => decodeKeystore(text.replaceAll('\n', '\r\n'))).toThrow(/damaged/);
  });

  it('does not open when any bit of a field is flipped and the checksum mended, even if the key stays the same', () => {
    const { header } = keystore;
    const forged: Keystore[] = [
      ...hexFlips(keystore.ciphertext).map((ciphertext) => ({ ...keystore, ciphertext })),
      ...hexFlips(keystore.tag).map((tag) => ({ ...keystore, tag })),
      ...hexFlips(header.keyId).map((keyId) => ({ ...keystore, header: { ...header, keyId } })),
      ...hexFlips(header.kdf.salt).map((salt) => ({
        ...keystore,
        header: { ...header, kdf: { ...header.kdf, salt } },
      })),
      ...hexFlips(header.cipher.nonce).map((nonce) => ({
        ...keystore,
        header: { ...header, cipher: { ...header.cipher, nonce } },
      })),
      { ...keystore, header: { ...header, demo: true } },
      { ...keystore, header: { ...header, kdf: { ...header.kdf, n: 2 ** 18 } } },
      { ...keystore, header: { ...header, kdf: { ...header.kdf, p: 2 } } },
    ];
    expect(forged).toHaveLength((64 + 16 + 8 + 32 + 12) * 8 + 3);
    for (const keystoreForged of forged) {
      const read = decodeKeystore(encodeKeystore(keystoreForged));
      expect(() => openSealWithKey(read, key)).toThrow(expect.objectContaining({ code: 'wrong-passphrase' }));
    }
  });

  it.each([
    ['version', { version: 2 }],
    ['kdf name', { kdf: { name: 'pbkdf2', n: 131072, r: 8, p: 1, salt: '00'.repeat(32) } }],
    ['weak kdf', { kdf: { name: 'scrypt', n: 2, r: 8, p: 1, salt: '00'.repeat(32) } }],
    ['kdf that eats all memory', { kdf: { name: 'scrypt', n: 2 ** 30, r: 8, p: 1, salt: '00'.repeat(32) } }],
    ['r', { kdf: { name: 'scrypt', n: 131072, r: 4096, p: 1, salt: '00'.repeat(32) } }],
    ['p', { kdf: { name: 'scrypt', n: 131072, r: 8, p: 1000, salt: '00'.repeat(32) } }],
    ['cipher', { cipher: { name: 'aes-256-ctr', nonce: '00'.repeat(12) } }],
  ])('is refused as unsupported when it is whole but its %s is not ours', (_what, change) => {
    const { ciphertext, tag } = keystore;
    const body = { header: { ...keystore.header, ...change }, ciphertext, tag };
    const checksum = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const text = `${JSON.stringify({ ...body, checksum }, null, 2)}\n`;
    expect(() => decodeKeystore(text)).toThrow(expect.objectContaining({ code: 'keystore-unsupported' }));
  });
});

/** Every hex text that differs from this one in a single bit of the bytes it stands for. */
function hexFlips(hex: string): string[] {
  const bytes = Buffer.from(hex, 'hex');
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = flipped[bit >> 3]! ^ (1 << (bit & 7));
    return flipped.toString('hex');
  });
}
