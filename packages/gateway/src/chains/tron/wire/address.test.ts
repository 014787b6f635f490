// One address in all its forms is one, and what is no address of mainnet is none.
import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { accountKeys, testMnemonic } from '@ducat/tron-dev/protocol/keys';
import { describe, expect, it } from 'vitest';
import { tronAddressScheme } from './address.ts';

const usdt = {
  hex: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
  base58: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
};

describe('Tron addresses', () => {
  it('resolve to one canonical text from every form', () => {
    const forms = [usdt.base58, usdt.hex, usdt.hex.toUpperCase(), `0x${usdt.hex.slice(2)}`];
    for (const form of forms) expect(tronAddressScheme.canonical(form)).toBe(usdt.hex);
    expect(tronAddressScheme.display(usdt.hex)).toBe(usdt.base58);
  });

  it.each([
    ['a wrong checksum', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['another case in base58', usdt.base58.toLowerCase()],
    ['a testnet prefix in hex', `a0${usdt.hex.slice(2)}`],
    // The same 20 bytes behind a0, with a right checksum.
    ['a testnet prefix in base58', '27kwjcBqHuvyv2qZoUxHgmBdZsXT2JKf8Zn'],
    ['letters of two cases in hex', usdt.hex.replace('a', 'A')],
    ['20 bytes without a prefix', usdt.hex.slice(2)],
    ['white space', ` ${usdt.base58}`],
    ['nothing', ''],
  ])('refuse %s', (_, text) => {
    expect(tronAddressScheme.canonical(text)).toBeNull();
  });

  it("derive m/44'/195'/0'/0/i from the public key of the account alone", async () => {
    const seed = pbkdf2Sync(testMnemonic, 'mnemonic', 2048, 64, 'sha512');
    const account = HDKey.fromMasterSeed(seed).derive("m/44'/195'/0'");
    const derived = [0, 1, 2].map((index) => tronAddressScheme.derive(account.publicExtendedKey, index));
    expect(derived).toEqual((await accountKeys(testMnemonic, 3)).map(({ address }) => address));
    expect(() => tronAddressScheme.derive(account.privateExtendedKey, 0)).toThrow('never from a private one');
  });
});
