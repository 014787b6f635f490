// Tests of webhook verification: right ones come back typed, everything else is refused with its reason.
import { events } from '@ducat/contract/events/registry';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { describe, expect, it } from 'vitest';
import { sign } from './sign.ts';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
import { expressWebhook, fastifyWebhook, fetchWebhook, nodeWebhook } from './webhooks.ts';

const appKey = 'key-1';
const body = events.PAYMENT.example;
const timestamp = '1763626800';
const now = () => 1_763_626_800_000;

function webhook(
  change: {
    body?: object;
    text?: string;
    key?: string;
    headers?: Record<string, string | string[] | undefined>;
  } = {},
) {
  const rawBody = Buffer.from(change.text ?? JSON.stringify(change.body ?? body));
  const time = change.headers?.['x-timestamp'];
  const headers: Record<string, string | string[] | undefined> = {
    'x-appid': body.appid,
    'x-timestamp': timestamp,
    'x-sign': sign(rawBody, typeof time === 'string' ? time : timestamp, change.key ?? appKey),
    'x-eventtype': 'PAID',
    'x-event-id': 'evt_1',
    ...change.headers,
  };
  return { appKey, headers, rawBody, now };
}

function reasonOf(given: Parameters<typeof verifyWebhook>[0]): string {
  try {
    verifyWebhook(given);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  return 'none';
}

describe('verifyWebhook', () => {
  it('gives a right webhook back typed, with a key made of signed fields', () => {
    const event = verifyWebhook({ ...webhook(), appId: body.appid });
    expect(event).toEqual({ type: 'PAYMENT', key: `${body.trade_no}:PAID:12.5`, eventId: 'evt_1', body });
  });

  it('keys a payout by its number and how it ended', () => {
    const payout = events.TRANSFER.example;
    const event = verifyWebhook(webhook({ body: payout }));
    expect(event).toEqual({
      type: 'TRANSFER',
      key: `${payout.trade_no}:PAID`,
      eventId: 'evt_1',
      body: payout,
    });
  });

  it('keys a payment to a QR code by its number', () => {
    const payment = events.QR_PAYMENT.example;
    const event = verifyWebhook(webhook({ body: payment }));
    const key = `${payment.trade_no}:PAID`;
    expect(event).toEqual({ type: 'QR_PAYMENT', key, eventId: 'evt_1', body: payment });
  });

  it('takes bytes, text and headers of fetch alike', () => {
    const { headers, rawBody } = webhook();
    const fetchHeaders = new Headers(headers as Record<string, string>);
    expect(verifyWebhook({ appKey, headers: fetchHeaders, rawBody: rawBody.toString(), now }).body).toEqual(
      body,
    );
    expect(verifyWebhook({ appKey, headers, rawBody: new Uint8Array(rawBody), now }).body).toEqual(body);
  });

  it('takes text beyond ASCII and an upper-case signature', () => {
    const given = webhook({ body: { ...body, out_trade_no: 'Заказ-🛒' } });
    given.headers['x-sign'] = String(given.headers['x-sign']).toUpperCase();
    expect(verifyWebhook(given).body).toMatchObject({ out_trade_no: 'Заказ-🛒' });
  });

  it('takes either key during a rotation, and no third', () => {
    const keys = ['new-key', 'old-key'];
    const given = (key: string) => ({ ...webhook({ key }), appKey: undefined, keys });
    expect(reasonOf(given('new-key'))).toBe('none');
    expect(reasonOf(given('old-key'))).toBe('none');
    expect(reasonOf(given('older-key'))).toBe('signature');
  });

  it.each<[string, string, Parameters<typeof webhook>[0]]>([
    ['a missing X-Sign', 'headers', { headers: { 'x-sign': undefined } }],
    ['a missing X-Appid', 'headers', { headers: { 'x-appid': undefined } }],
    ['a missing X-Timestamp', 'headers', { headers: { 'x-timestamp': undefined } }],
    ['a missing X-EventType', 'headers', { headers: { 'x-eventtype': undefined } }],
    ['a doubled header in one value', 'headers', { headers: { 'x-appid': `${body.appid}, ${body.appid}` } }],
    ['a doubled header in two values', 'headers', { headers: { 'x-appid': [body.appid, body.appid] } }],
    ['a doubled header in two cases', 'headers', { headers: { 'X-AppId': body.appid } }],
    ['a timestamp that is late', 'timestamp', { headers: { 'x-timestamp': '1763626679' } }],
    ['a timestamp that is early', 'timestamp', { headers: { 'x-timestamp': '1763626921' } }],
    ['a timestamp in milliseconds', 'timestamp', { headers: { 'x-timestamp': '1763626800000' } }],
    ['another key', 'signature', { key: 'key-2' }],
    ['a cut signature', 'signature', { headers: { 'x-sign': 'abcd' } }],
    ['another app in the header', 'appid', { headers: { 'x-appid': 'app_OTHER' } }],
    ['another app in the body', 'appid', { body: { ...body, appid: 'app_OTHER' } }],
    ['another status in the header', 'event-type', { headers: { 'x-eventtype': 'TIME-OUT' } }],
    ['a signed answer sent back as a webhook', 'body', { body: { code: 0, msg: 'success', data: body } }],
    ['a body that is no JSON', 'body', { text: '{' }],
    ['a body that is a list', 'body', { text: '[]' }],
    ['a type of a later version', 'type', { body: { ...body, type: 'REFUND' } }],
  ])('refuses %s', (_name, reason, change) => {
    expect(reasonOf(webhook(change))).toBe(reason);
  });

  it('refuses a body that was changed by one byte or serialised anew', () => {
    const given = webhook({ text: JSON.stringify(body, null, 1) });
    expect(reasonOf(given)).toBe('none');
    expect(reasonOf({ ...given, rawBody: JSON.stringify(body) })).toBe('signature');
    expect(
      reasonOf({ ...given, rawBody: Buffer.from(given.rawBody.toString().replace('12.5', '12.6')) }),
    ).toBe('signature');
  });

  it('refuses a replay once its two minutes are over', () => {
    const given = webhook();
    expect(reasonOf({ ...given, now: () => now() + 120_000 })).toBe('none');
    expect(reasonOf({ ...given, now: () => now() + 121_000 })).toBe('timestamp');
  });

  it('refuses another app than the one asked for', () => {
    expect(reasonOf({ ...webhook(), appId: 'app_OTHER' })).toBe('appid');
  });

  it('refuses a request of the published vectors sent as a webhook', () => {
    const vector = signatureVectors[0]!;
    const headers = {
      'x-appid': 'a',
      'x-timestamp': vector.timestamp,
      'x-sign': vector.signature,
      'x-eventtype': 'PAID',
    };
    expect(reasonOf({ appKey: vector.appKey, headers, rawBody: vector.body, now })).toBe('body');
  });

  it('says what to do to a programmer who gives a parsed body, or no key', () => {
    const parsed = { ...webhook(), rawBody: body as unknown as string };
    expect(() => verifyWebhook(parsed)).toThrow(/before any JSON parser/);
    expect(() => verifyWebhook({ ...webhook(), appKey: undefined })).toThrow(/Give appKey/);
    expect(() => verifyWebhook({ ...webhook(), appKey: '' })).toThrow(/Give appKey/);
  });
});

describe.each(Object.entries({ expressWebhook, fastifyWebhook, fetchWebhook, nodeWebhook }))(
  '%s',
  (_, handler) => {
    const make = handler as (options: unknown) => unknown;
    it('is not made without a key and something to call', () => {
      const onEvent = () => undefined;
      for (const options of [undefined, {}, { appKey }])
        expect(() => make(options)).toThrow('onEvent must be');
      for (const options of [{ onEvent }, { onEvent, appKey: '' }, { onEvent, keys: [] }])
        expect(() => make(options)).toThrow('appKey must be a string');
      for (const options of [
        { onEvent, appKey },
        { onEvent, keys: [appKey], path: '/' },
      ])
        expect(make(options)).toBeTypeOf('function');
    });
  },
);
