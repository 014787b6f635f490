// Tests of the words: new ones, typed ones, wrong ones.
import { describe, expect, it } from 'vitest';
import { checkMnemonic, createMnemonic, mnemonicToSeed } from './mnemonic.ts';

const strict = { allowWeak: false };
// Words from the published BIP-39 vectors.
const legal = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describe('createMnemonic', () => {
  it('makes 24 words that pass the check, different each time', () => {
    const one = createMnemonic();
    expect(one.split(' ')).toHaveLength(24);
    expect(checkMnemonic(one, strict)).toBe(one);
    expect(createMnemonic()).not.toBe(one);
  });
});

describe('checkMnemonic', () => {
  it('forgives capitals, line breaks and extra spaces', () => {
    expect(checkMnemonic(`  ${legal.toUpperCase().replaceAll(' ', '\n ')} \n`, strict)).toBe(legal);
  });

  it.each([
    ['', 'bad-mnemonic', /0 words/],
    [legal.split(' ').slice(1).join(' '), 'bad-mnemonic', /11 words/],
    [legal.replace('wave', 'waves').replace('yellow', 'yelow'), 'bad-mnemonic', /position 5, 12/],
    [legal.replace('yellow', 'year'), 'bad-mnemonic', /checksum/],
    ['legal '.repeat(400), 'bad-mnemonic', /longer/],
    ['test test test test test test test test test test test junk', 'weak-mnemonic', /publicly known/],
    [`${'abandon '.repeat(23)}art`, 'weak-mnemonic', /publicly known/],
    [`${'zoo '.repeat(11)}wrong`, 'weak-mnemonic', /publicly known/],
  ])('refuses %j as %s', (text, code, message) => {
    expect(() => checkMnemonic(text, strict)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('never repeats a typed word in its refusal', () => {
    expect(() => checkMnemonic(legal.replace('wave', 'hunter2'), strict)).toThrow(
      /^(?!.*hunter2)(?!.*legal)/,
    );
  });

  it('takes public test words in the demo', () => {
    const words = `${'abandon '.repeat(11)}about`;
    expect(checkMnemonic(words, { allowWeak: true })).toBe(words);
  });
});

describe('mnemonicToSeed', () => {
  it('gives the seed that BIP-39 wallets give without an extra passphrase', () => {
    const seed = Buffer.from(mnemonicToSeed(`${'abandon '.repeat(11)}about`)).toString('hex');
    expect(seed).toBe(
      '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
    );
  });
});
