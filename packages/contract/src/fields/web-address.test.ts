// Tests of the addresses that are taken: hosts that can exist, and ports that can be a webhook's.
import { describe, expect, it } from 'vitest';
import { isWebAddress, isWebhookAddress } from './web-address.ts';

/** That many different Chinese characters: short to write, over three times as long in ASCII. */
function wild(characters: number): string {
  return Array.from({ length: characters }, (_, place) => String.fromCodePoint(0x4e00 + place * 7)).join('');
}

const label = 'a'.repeat(63);

describe('isWebAddress', () => {
  it.each([
    'http://shop.example/',
    'https://shop.example.:8080/a?b#c',
    'http://127.0.0.1/',
    'http://[2001:db8:1111:2222:3333:4444:5555:6666]/',
    `https://${label}.example/`,
    `https://${[label, label, label, 'a'.repeat(61)].join('.')}/`,
    'https://магазин.example/тест',
    `https://${wild(10)}.example/`,
  ])('takes %s', (text) => {
    expect(isWebAddress(text)).toBe(true);
  });

  it.each([
    `http://${wild(900)}/`,
    `http://${wild(60)}.example/`,
    `https://a${label}.example/`,
    `https://${[label, label, label, 'a'.repeat(62)].join('.')}/`,
    'https://shop..example/',
    'https://.shop.example/',
    'https://./',
    'ftp://shop.example/',
    'https://user@shop.example/',
    'https://:pw@shop.example/',
    'shop.example',
    `https://shop.example/${'x'.repeat(2048)}`,
  ])('refuses %s', (text) => {
    expect(isWebAddress(text)).toBe(false);
  });
});

describe('isWebhookAddress', () => {
  it.each(['http://a.example/', 'http://a.example:443/', 'https://a.example:80/', 'http://a.example:1024/'])(
    'takes %s',
    (text) => {
      expect(isWebhookAddress(text)).toBe(true);
    },
  );

  it.each([
    'http://a.example:22/',
    'https://a.example:1023/',
    'http://a.example:0/',
    'ftp://a.example:8080/',
  ])('refuses %s', (text) => {
    expect(isWebhookAddress(text)).toBe(false);
  });
});
