// Tests of the ready handlers, each in the real framework on loopback.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { events } from '@ducat/contract/events/registry';
import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { sign } from '../sign.ts';
import {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  nodeWebhook,
  type WebhookHandlerOptions,
} from '../webhooks.ts';

const body = events.PAYMENT.example;
const appKey = 'key-1';
const timestamp = '1763626800';
type Options = WebhookHandlerOptions;

/** Starts a server of one framework with the handler at /hook and gives its address. */
const frameworks: Record<string, (options: Options) => Promise<string>> = {
  'node:http': (options) => listen(createServer(nodeWebhook(options))),
  Express: (options) => listen(createServer(express().post('/hook', expressWebhook(options)))),
  'Express behind express.raw': (options) =>
    listen(
      createServer(
        express()
          .use(express.raw({ type: () => true, limit: 65536 }))
          .post('/hook', expressWebhook(options)),
      ),
    ),
  Fastify: async (options) => {
    const app = fastify();
    app.register(fastifyWebhook({ path: '/hook', ...options }));
    closers.push(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  'fetch style': async (options) => {
    const handle = fetchWebhook(options);
    // A real server hands a Request on; here node:http plays that part.
    return listen(
      createServer((request, response) => {
        const headers = new Headers(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const given = new Request('http://hook.test/', {
            method: 'POST',
            headers,
            body: Buffer.concat(chunks),
          });
          void handle(given).then(async (answer) => {
            response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
          });
        });
      }),
    );
  },
};

const closers: (() => Promise<unknown>)[] = [];

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function post(address: string, text: string, headers: Record<string, string> = {}) {
  const bytes = Buffer.from(text);
  const response = await fetch(`${address}/hook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-appid': body.appid,
      'x-timestamp': timestamp,
      'x-sign': sign(bytes, timestamp, appKey),
      'x-eventtype': 'PAID',
      ...headers,
    },
    body: bytes,
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe.each(Object.entries(frameworks))('the handler for %s', (_name, start) => {
  const received: string[] = [];
  const errors: string[] = [];
  const options: Options = {
    appKey,
    appId: body.appid,
    now: () => 1_763_626_800_000,
    onEvent: (event) => {
      if (event.type !== 'PAYMENT') throw new Error(`a webhook of type ${event.type}`);
      if (event.body.out_trade_no === 'fails') throw new Error('database down');
      received.push(event.body.out_trade_no);
    },
    onError: (error) => errors.push(String(error)),
  };

  it('answers Success to a right webhook whose bytes no parser would write again', async () => {
    const address = await start(options);
    const text = JSON.stringify({ ...body, out_trade_no: 'Заказ-🛒' }, null, 2);
    expect(await post(address, text)).toEqual({
      status: 200,
      type: expect.stringMatching(/^text\/plain/),
      text: 'Success',
    });
    expect(received.splice(0)).toEqual(['Заказ-🛒']);
  });

  it('refuses a forged webhook without handing it over', async () => {
    const address = await start(options);
    expect(await post(address, JSON.stringify(body), { 'x-sign': '0'.repeat(64) })).toMatchObject({
      status: 400,
      text: 'refused: signature',
    });
    expect(received).toEqual([]);
    expect(errors.splice(0)).toEqual([expect.stringContaining('X-Sign does not fit')]);
  });

  it('does not answer Success when the merchant fails, so that the event comes again', async () => {
    const address = await start(options);
    const answer = await post(address, JSON.stringify({ ...body, out_trade_no: 'fails' }));
    expect(answer).toMatchObject({ status: 500, text: 'not processed' });
    expect(errors.splice(0)).toEqual(['Error: database down']);
  });

  it('refuses a body over 64 KiB', async () => {
    const address = await start(options);
    const answer = await post(address, JSON.stringify({ ...body, out_trade_no: 'x'.repeat(70_000) }));
    expect(answer.status).toBe(413);
    expect(received).toEqual([]);
  });
});

describe('the handler for Express', () => {
  it('says what is wrong when a JSON parser ran before it', async () => {
    const messages: string[] = [];
    const app = express()
      .use(express.json())
      .post('/hook', expressWebhook({ appKey, onEvent: () => undefined }));
    app.use(
      (error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
        messages.push(error.message);
        response.status(500).end();
      },
    );
    const answer = await post(await listen(createServer(app)), JSON.stringify(body));
    expect(answer.status).toBe(500);
    expect(messages).toEqual([expect.stringContaining('before express.json()')]);
  });
});

describe('the handler for Fastify', () => {
  it('leaves the JSON parser of the other routes as it is', async () => {
    const app = fastify();
    app.register(fastifyWebhook({ path: '/hook', appKey, onEvent: () => undefined }));
    app.post('/other', async (request) => request.body);
    closers.push(() => app.close());
    const answer = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } });
    expect(answer.json()).toEqual({ a: 1 });
  });
});

describe('a handler that is made without what it needs', () => {
  const make = { nodeWebhook, expressWebhook, fetchWebhook, fastifyWebhook } as const;
  const missing: readonly [string, unknown, string][] = [
    ['nothing at all', undefined, 'onEvent must be a function'],
    ['an empty object', {}, 'onEvent must be a function'],
    ['no key', { onEvent: () => undefined }, 'appKey must be a string that is not empty'],
    ['an empty key', { appKey: '', onEvent: () => undefined }, 'appKey must be a string that is not empty'],
    ['an empty list of keys', { keys: [], onEvent: () => undefined }, 'appKey must be a string'],
  ];

  it.each(
    Object.entries(make).flatMap(([name, handler]) =>
      missing.map(([what, options, message]) => ({ name, what, handler, options, message })),
    ),
  )('$name refuses $what at once, by name', ({ handler, options, message }) => {
    // Callers without types make these mistakes.
    const untyped = handler as (options: unknown) => unknown;
    expect(() => untyped(options)).toThrow(TypeError);
    expect(() => untyped(options)).toThrow(message);
  });
});

describe('the handlers for node:http and fetch', () => {
  it('take nothing but POST', async () => {
    const address = await frameworks['node:http']!({ appKey, onEvent: () => undefined });
    expect((await fetch(`${address}/hook`)).status).toBe(405);
    expect(
      (await fetchWebhook({ appKey, onEvent: () => undefined })(new Request('http://hook.test/'))).status,
    ).toBe(405);
  });
});
