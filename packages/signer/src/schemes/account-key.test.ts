// Tests of key derivation against published vectors.
import { createHash, ECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HDKey } from '@scure/bip32';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { accountPublicKey, keyIdOf } from './account-key.ts';
import { mnemonicToSeed } from '../keystore/mnemonic.ts';
import { schemes } from './schemes.ts';

const words = 'test test test test test test test test test test test junk';
const seed = mnemonicToSeed(words);

describe('accountPublicKey', () => {
  it('gives the EVM account from which every wallet derives the known addresses of the test words', () => {
    const { xpub, path } = accountPublicKey(seed, schemes.evm, 0);
    expect(path).toBe("m/44'/60'/0'");
    expect(evmAddress(xpub, 0)).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
    expect(evmAddress(xpub, 1)).toBe('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
  });

  it('gives the Tron account from which a Tron wallet derives the known address of the test words', () => {
    const { xpub, path } = accountPublicKey(seed, schemes.tron, 0);
    expect(path).toBe("m/44'/195'/0'");
    expect(tronAddress(xpub, 0)).toBe('TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6');
  });

  it('has the paths that keys.md gives to people who move coins with another wallet', () => {
    const page = readFileSync(new URL('../../../../docs/operate/keys.md', import.meta.url), 'utf8');
    for (const scheme of [schemes.evm, schemes.tron]) {
      const account = accountPublicKey(seed, scheme, 7).path.replace(/7'$/, "account'");
      expect(page).toContain(`| \`${account}/0/index\`, wallets \`${account}/1/index\` |`);
    }
  });

  it('gives a public key only, at depth 3, with the hardened account index', () => {
    for (const account of [0, 1, 2 ** 31 - 1]) {
      const { xpub } = accountPublicKey(seed, schemes.evm, account);
      const key = HDKey.fromExtendedKey(xpub);
      expect(xpub.startsWith('xpub')).toBe(true);
      expect([key.privateKey, key.depth, key.index]).toEqual([null, 3, account + 2 ** 31]);
    }
  });

  it('gives every account and family a key of its own, and the same one each time', () => {
    const keys = [0, 1, 2].flatMap((n) =>
      [schemes.evm, schemes.tron].map((s) => accountPublicKey(seed, s, n).xpub),
    );
    expect(new Set(keys).size).toBe(6);
    expect(accountPublicKey(seed, schemes.tron, 2).xpub).toBe(keys[5]);
  });

  it('leaves the seed as it was', () => {
    const before = Buffer.from(seed).toString('hex');
    accountPublicKey(seed, schemes.evm, 7);
    expect(Buffer.from(seed).toString('hex')).toBe(before);
  });
});

describe('keyIdOf', () => {
  it('begins with the fingerprint of BIP-32 test vector 1', () => {
    // The vector's m/0' names its parent 3442193e in the published extended key.
    expect(keyIdOf(Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'))).toMatch(/^3442193e[0-9a-f]{8}$/);
  });
});

function addressBytes(xpub: string, index: number): Buffer {
  const child = HDKey.fromExtendedKey(xpub).deriveChild(0).deriveChild(index);
  const point = ECDH.convertKey(
    Buffer.from(child.publicKey!),
    'secp256k1',
    undefined,
    undefined,
    'uncompressed',
  );
  return Buffer.from(keccak_256(Buffer.from(point).subarray(1))).subarray(12);
}

function evmAddress(xpub: string, index: number): string {
  return `0x${addressBytes(xpub, index).toString('hex')}`;
}

function tronAddress(xpub: string, index: number): string {
  const payload = Buffer.concat([Buffer.from([0x41]), addressBytes(xpub, index)]);
  const full = Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]);
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let text = '';
  for (let rest = BigInt(`0x${full.toString('hex')}`); rest > 0n; rest /= 58n)
    text = alphabet[Number(rest % 58n)]! + text;
  return text;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
