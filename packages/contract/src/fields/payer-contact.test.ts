// Which contacts of a shop a payment page may lead its payers to.
import { expect, it } from 'vitest';
import { payerContactLink } from './payer-contact.ts';

it.each([
  ['help@shop.example', 'mailto:help@shop.example'],
  ['https://shop.example/help?a=1#b', 'https://shop.example/help?a=1#b'],
  ['HTTPS://shop.example', 'HTTPS://shop.example'],
  ['http://shop.example', null],
  ['shop.example', null],
  ['javascript:alert(1)', null],
  ['javascript:alert(1)//@x', null],
  ['java@script:alert(1)', null],
  ['data:text/html,x@y', null],
  ['//shop.example', null],
  ['/help', null],
  ['https://', null],
  ['https://shop.example/ javascript:alert(1)', null],
  ['help@shop.example?bcc=thief@x.example', null],
  ['a b@shop.example', null],
  ['@shop', null],
  ['', null],
  [`${'a'.repeat(200)}@shop.example`, null],
])('%s leads to %s', (text, link) => {
  expect(payerContactLink(text)).toBe(link);
});
