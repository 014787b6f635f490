// Which passwords a person may choose.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { passwordTrouble } from './password-trouble.ts';

const EMAIL = 'Grace.Hopper@example.test';

describe('a password', () => {
  it.each(['1qaz2wsx3edc', 'qwerty123456', '123456789qwe', 'SherlockHolmes', 'Justinbieber'])(
    '%s is among the most common ones',
    (password) => expect(passwordTrouble(password, EMAIL)).toBe('is one of the most common passwords'),
  );

  it.each(['my Ducat is safe here', 'i am GRACE.hopper 1906'])('%s names what it opens', (password) => {
    expect(passwordTrouble(password, EMAIL)).toBe('must not contain the e-mail or the name of this software');
  });

  it('has six different characters', () => {
    expect(passwordTrouble('aaaaabbbbbccccc', EMAIL)).toBe('must have 6 different characters');
  });

  it.each(['a long and winding road', 'correct horse battery staple', '1qaz2wsx3edc and more'])(
    '%s will do',
    (password) => expect(passwordTrouble(password, EMAIL)).toBeNull(),
  );

  it('is compared with more than the 3,000 that ASVS 6.2.4 asks for', async () => {
    const file = new URL('../../../../password-list/digests.txt', import.meta.url);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(new Set(lines).size).toBe(5_000);
    expect(lines.filter((line) => !/^[A-Za-z0-9+/]{8}$/.test(line))).toEqual([]);
  });
});
