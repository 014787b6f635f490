// The fast derivation gives what the library gives, index by index, by the paths that people are shown.
import { ECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { accountAddress } from './account-address.ts';
import { keccakOfBytes } from './keccak.ts';

const account = HDKey.fromMasterSeed(Buffer.alloc(64, 3)).derive("m/44'/60'/5'");

function byTheLibrary(index: number, branch = 0): string {
  const child = HDKey.fromExtendedKey(account.publicExtendedKey).deriveChild(branch).deriveChild(index);
  const point = ECDH.convertKey(child.publicKey ?? '', 'secp256k1', undefined, undefined, 'uncompressed');
  return keccakOfBytes(Buffer.from(point as Buffer).subarray(1)).slice(24);
}

describe('accountAddress', () => {
  it('is the address of the child key that the library derives', () => {
    for (const index of [...Array(50).keys(), 255, 256, 65_535, 1_000_000, 2 ** 31 - 1]) {
      expect(accountAddress(account.publicExtendedKey, index)).toBe(byTheLibrary(index));
    }
  });

  it('finds wallets on the branch that no payer is shown', () => {
    for (const index of [0, 7]) {
      const wallet = accountAddress(account.publicExtendedKey, index, 'wallet');
      expect(wallet).toBe(byTheLibrary(index, 1));
      expect(wallet).not.toBe(accountAddress(account.publicExtendedKey, index));
    }
  });

  it('goes by the paths of keys.md, so that other wallets find the coins', () => {
    const page = readFileSync(new URL('../../../../../docs/operate/keys.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| (Ethereum|Tron).*`(m\/44[^`]+)`, wallets `(m\/44[^`]+)` \|$/gm)];
    const master = HDKey.fromMasterSeed(Buffer.alloc(64, 3));
    const addressAt = (path = '') => {
      const key = master.derive(path.replace("account'", "5'").replace('index', '7')).publicKey;
      const point = ECDH.convertKey(key ?? '', 'secp256k1', undefined, undefined, 'uncompressed');
      return keccakOfBytes(Buffer.from(point as Buffer).subarray(1)).slice(24);
    };
    const shown = rows.map(([, name, deposit, wallet]) => [name, addressAt(deposit), addressAt(wallet)]);
    const byCoin = ([name, coin]: readonly [string, number]) => {
      const { publicExtendedKey } = master.derive(`m/44'/${coin}'/5'`);
      return [name, accountAddress(publicExtendedKey, 7), accountAddress(publicExtendedKey, 7, 'wallet')];
    };
    expect(shown).toEqual([byCoin(['Ethereum', 60]), byCoin(['Tron', 195])]);
  });

  it.each([-1, 0.5, 2 ** 31, Number.NaN])('refuses %s, which is no index of a public child', (index) => {
    expect(() => accountAddress(account.publicExtendedKey, index)).toThrow(/index/);
  });
});
