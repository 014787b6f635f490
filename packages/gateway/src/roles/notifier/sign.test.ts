// Shows that webhooks are signed as published, afresh for each attempt.
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { describe, expect, it } from 'vitest';
import { sign } from './sign.ts';

const delivery = { eventId: 'evt_1', appId: 'app_1', status: 'TO-BE-PAID', body: '{"a":"ä"}' };

describe('sign', () => {
  it.each(signatureVectors)(
    'agrees with the published vector: $name',
    ({ appKey, timestamp, body, signature }) => {
      expect(sign({ ...delivery, body }, appKey, Number(timestamp))['X-Sign']).toBe(signature);
    },
  );

  it('names the app, the event and its status', () => {
    expect(sign(delivery, 'key', 1_763_626_800)).toEqual({
      'X-Appid': 'app_1',
      'X-Timestamp': '1763626800',
      'X-Sign': expect.stringMatching(/^[0-9a-f]{64}$/),
      'X-EventType': 'TO-BE-PAID',
      'X-Event-Id': 'evt_1',
      'Content-Type': 'application/json',
      'User-Agent': 'Ducat-Webhook/1',
    });
  });

  it('gives another signature a second later', () => {
    const first = sign(delivery, 'key', 1_763_626_800);
    const second = sign(delivery, 'key', 1_763_626_801);
    expect(second['X-Sign']).not.toBe(first['X-Sign']);
    expect(second['X-Event-Id']).toBe(first['X-Event-Id']);
  });
});
