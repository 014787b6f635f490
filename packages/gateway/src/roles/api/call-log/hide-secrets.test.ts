// What is secret never gets into the log of calls, wherever a shop's code put it by mistake.
import { describe, expect, it } from 'vitest';
import { hideCodes, hideKeys } from './hide-secrets.ts';

const KEY = 'Zm9vYmFyLWJhei1xdXV4X2NvcmdlLWdyYXVsdC1nYXI';
const OTHER = KEY.toLowerCase();
const SIGNATURE = 'ab'.repeat(32);

describe('AppKeys', () => {
  it.each([
    ['as a field', `{"app_key":"${KEY}"}`, KEY],
    ['as the name of a field', `{"${KEY}":1}`, KEY],
    ['behind body and timestamp, as they are hashed', `{"a":1}1763626800${KEY}`, KEY],
    ['right behind letters', `a=b1763626800${KEY}`, KEY],
    ['of another app, by its form', `app_key=${OTHER}&a=1`, OTHER],
    ['of another app, behind a timestamp', `{}1763626800${OTHER}`, OTHER],
    ['in place of a signature', OTHER, OTHER],
    ['of another app, behind an escape', `%22app_key%22%3A%22${OTHER}%22`, OTHER],
  ])('are hidden: %s', (_where, text, secret) => {
    const hidden = hideKeys(text, [KEY]);
    expect(hidden).not.toContain(secret);
    expect(hidden).toHaveLength(text.length);
  });

  it.each([
    ['a signature', SIGNATURE],
    ['a signature in base64', `${'A'.repeat(43)}=`],
    ['an address', `0x${'a'.repeat(40)}`],
    ['a number of ours', `ord_${'0'.repeat(30)}`],
  ])('are not confused with %s', (_what, text) => {
    expect(hideKeys(text, [KEY])).toBe(text);
  });
});

describe('one-time codes', () => {
  it.each([
    ['as the contract has it', '{"otp_code":"492039"}', false],
    ['as a number, with space', '{"otp_code" : 492039 }', false],
    ['under another name', '{"otpCode":"492039","amount":"1"}', false],
    ['in a form', 'otp_code=492039&amount=1', false],
    ['under any name', '{"code":"492039"}', true],
    ['in two threes', '{"code":"492 039"}', true],
    ['in two threes, as the contract has it', '{"otp_code":"492 039"}', true],
    ['in two threes, as it is named alone', '{"otp_code":"492 039"}', false],
    ['in broken JSON', '{"code":492039', true],
    ['behind an escape', '%7B%22otp_code%22%3A%22492039%22%7D', true],
  ])('are hidden: %s', (_where, text, byForm) => {
    const hidden = hideCodes(text, byForm);
    expect(hidden).not.toMatch(/492|039/);
    expect(hidden).toHaveLength(text.length);
  });

  it('are not looked for by their form where there are none', () => {
    expect(hideCodes('{"token_amount":"100000"}', false)).toBe('{"token_amount":"100000"}');
    expect(hideCodes('{"amount":"0.123456","currency_id":1001}', true)).toBe(
      '{"amount":"0.123456","currency_id":1001}',
    );
  });
});
