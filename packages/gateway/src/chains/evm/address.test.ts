// Addresses: known vectors of BIP-44 and EIP-55, and everything that must not pass for one.
import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { evmAddressScheme } from './address.ts';

// Seed of "test test test test test test test test test test test junk".
const seed =
  '9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0';
const account = HDKey.fromMasterSeed(Buffer.from(seed, 'hex')).derive("m/44'/60'/0'");

describe('evmAddressScheme.derive', () => {
  it('gives the addresses of the known test mnemonic', () => {
    const key = account.publicExtendedKey;
    expect(evmAddressScheme.derive(key, 0)).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
    expect(evmAddressScheme.derive(key, 1)).toBe('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
    expect(evmAddressScheme.derive(key, 9)).toBe('0xa0ee7a142d267c1f36714e4a8f75612f20a79720');
  });
  it('refuses a key with a private part, a key of another level, and a hardened index', () => {
    expect(() => evmAddressScheme.derive(account.privateExtendedKey, 0)).toThrow('never from a private one');
    expect(() => evmAddressScheme.derive(account.deriveChild(0).publicExtendedKey, 0)).toThrow('depth 3');
    expect(() => evmAddressScheme.derive(account.publicExtendedKey, 2 ** 31)).toThrow();
    expect(() => evmAddressScheme.derive('xpub nonsense', 0)).toThrow();
  });
});

describe('evmAddressScheme.canonical', () => {
  // The vectors of EIP-55.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('takes %s and shows it as it was', (address) => {
    const canonical = evmAddressScheme.canonical(address);
    expect(canonical).toBe(address.toLowerCase());
    expect(evmAddressScheme.display(address.toLowerCase())).toBe(address);
    expect(evmAddressScheme.canonical(`0x${address.slice(2).toUpperCase()}`)).toBe(canonical);
  });
  it.each([
    ['a letter in the wrong case', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'],
    ['no prefix', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['an upper-case prefix', '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a digit less', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['a digit more', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0'],
    ['a space', ' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a line break', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n'],
    ['a letter that is not hex', '0xgaaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['nothing', ''],
  ])('refuses %s', (_name, address) => {
    expect(evmAddressScheme.canonical(address)).toBeNull();
  });
});
