// Shows what the receiver refuses of a webhook. The good signature was made with `openssl dgst -sha256 -hmac`.
import { expect, it } from 'vitest';
import { checkWebhook } from './check-webhook.ts';

const keys = { appId: 'app', appKey: 'secret' };
const text = '{"appid":"app","status":"PAID"}';
const headers = {
  'content-type': 'application/json',
  'x-appid': 'app',
  'x-timestamp': '1700000000',
  'x-sign': 'bb0a0a284bb1d25fa68755c8b45efeb8112094f461b4114d4a76d143b9304902',
  'x-eventtype': 'PAID',
  'x-event-id': 'evt_1',
};
const NOW_S = 1_700_000_100;

const check = (changes: object, body = text, nowS = NOW_S) =>
  checkWebhook({ ...headers, ...changes }, Buffer.from(body), keys, nowS);

it('takes a signature that openssl made', () => {
  expect(check({})).toBeNull();
});

it.each([
  ['another signature', { 'x-sign': headers['x-sign'].replace('b', 'c') }, 'X-Sign'],
  ['no signature', { 'x-sign': undefined }, 'X-Sign'],
  ['a time that was not signed', { 'x-timestamp': '1700000001' }, 'X-Sign'],
  ['a time that is none', { 'x-timestamp': '170000000' }, 'X-Timestamp'],
  ['another app', { 'x-appid': 'other' }, 'X-Appid'],
  ['another event type', { 'x-eventtype': 'TIME-OUT' }, 'X-EventType'],
  ['no event type', { 'x-eventtype': undefined }, 'X-EventType'],
  ['no event id', { 'x-event-id': undefined }, 'X-Event-Id'],
  ['a body said to be no JSON', { 'content-type': 'text/plain' }, 'content-type'],
])('sees %s', (_what, changes, said) => {
  expect(check(changes)).toContain(said);
});

it('sees a changed byte of the body', () => {
  expect(check({}, text.replace('PAID', 'PAId'))).toContain('X-Sign');
});

it('sees a signature that is too old', () => {
  expect(check({}, text, NOW_S + 21)).toContain('X-Timestamp');
});
