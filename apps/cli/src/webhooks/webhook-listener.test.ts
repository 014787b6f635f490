// The minimal shop accepts signed webhooks and refuses the rest.
import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import { freePort } from '@ducat/devnet/net/free-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenForWebhooks, type ReceivedWebhook } from './webhook-listener.ts';

const [appId, appKey] = ['app_x', 'a-key-of-the-test'];
const body = JSON.stringify({
  appid: appId,
  trade_no: 'ord_1',
  status: 'PAID',
  type: 'PAYMENT',
  amount_collected: '1',
});
let server: Server;
let url: string;
let received: ReceivedWebhook[];
let refused: string[];

beforeEach(async () => {
  [received, refused] = [[], []];
  const port = await freePort();
  url = `http://127.0.0.1:${port}/webhook`;
  const onReceived = (webhook: ReceivedWebhook) => void received.push(webhook);
  const onRefused = (reason: string) => void refused.push(reason);
  server = await listenForWebhooks({ port, path: '/webhook', appId, appKey, onReceived, onRefused });
});

afterEach(() => new Promise((done) => server.close(done)));

async function deliver(key = appKey, text = body, to = url): Promise<readonly [number, string]> {
  const time = String(Math.floor(Date.now() / 1000));
  const sign = createHmac('sha256', key)
    .update(body + time + key)
    .digest('hex');
  const headers = {
    'X-Appid': appId,
    'X-Timestamp': time,
    'X-Sign': sign,
    'X-EventType': 'PAID',
    'X-Event-Id': 'evt_1',
  };
  const answer = await fetch(to, { method: 'POST', headers, body: text });
  return [answer.status, await answer.text()];
}

describe('the listener', () => {
  it('takes a signed webhook, keeps it as it came, and answers Success', async () => {
    expect(await deliver()).toEqual([200, 'Success']);
    expect(received.map(({ event, repeated }) => [event.body.status, repeated])).toEqual([['PAID', false]]);
    expect(received[0]!.body.toString()).toBe(body);
    expect(received[0]!.headers).toMatch(/^X-Event-Id: evt_1$/im);
  });

  it('says when it has received the same event before', async () => {
    await deliver();
    await deliver();
    expect(received.map(({ repeated }) => repeated)).toEqual([false, true]);
  });

  it.each([
    ['of another key', 'another-key', body, 400],
    ['that was changed', appKey, body.replace('"1"', '"2"'), 400],
    ['that is too large', appKey, 'x'.repeat(70_000), 413],
  ])('refuses one %s', async (_what, key, text, status) => {
    expect((await deliver(key, text))[0]).toBe(status);
    expect(received).toEqual([]);
  });

  it('answers on its path alone', async () => {
    expect((await deliver(appKey, body, `${url}/else`))[0]).toBe(404);
    expect((await fetch(url)).status).toBe(404);
    expect([received, refused]).toEqual([[], []]);
  });
});
