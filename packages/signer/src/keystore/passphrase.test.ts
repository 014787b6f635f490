// Tests of which passphrases are taken.
import { describe, expect, it } from 'vitest';
import { checkPassphrase, passphraseBytes } from './passphrase.ts';

describe('checkPassphrase', () => {
  it.each(['violet tram under seven', 'k7#Vq!x02mZp', 'пароль из шести слов'])('takes %j', (passphrase) => {
    expect(() => checkPassphrase(passphrase, { allowWeak: false })).not.toThrow();
  });

  it.each([
    '',
    'elevenchars',
    'aaaaaaaaaaaaaaaaaaaa',
    'abababababababab',
    'Password1234',
    'correct horse battery staple',
    'Change-Me-Change-Me!',
    '123456789012',
    'q'.repeat(1025),
  ])('refuses %j', (passphrase) => {
    expect(() => checkPassphrase(passphrase, { allowWeak: false })).toThrow(
      expect.objectContaining({ code: 'weak-passphrase' }),
    );
  });

  it('counts characters and not code units', () => {
    expect(() => checkPassphrase('😀😁😂😃😄😅', { allowWeak: false })).toThrow(/too short/);
  });

  it('takes a weak one in the demo, but never an empty one', () => {
    expect(() => checkPassphrase('demo', { allowWeak: true })).not.toThrow();
    expect(() => checkPassphrase('', { allowWeak: true })).toThrow(/empty/);
  });
});

describe('passphraseBytes', () => {
  it('is the same for two spellings of the same visible text', () => {
    expect(passphraseBytes('caf\u00e9')).toEqual(passphraseBytes('cafe\u0301'));
  });
});
