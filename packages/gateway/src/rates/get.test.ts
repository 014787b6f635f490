// One question over a real socket, and everything that a host may do instead of answering it.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { realWorld, type World } from '../runtime/world.ts';
import { createGet, type Get, textOf } from './get.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

interface Asked {
  readonly get: Get;
  readonly headers: Record<string, unknown>[];
  readonly url: string;
}

async function ask(
  answer: (response: ServerResponse, path: string) => void,
  world: World = realWorld,
): Promise<Asked> {
  const headers: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    answer(response, request.url ?? '');
  });
  servers.push(server);
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  const limits = { timeoutMs: 5_000, maxBodyBytes: 1_000, gapMs: 0 };
  const get = createGet({ url, headers: { 'x-key': 'k' }, world, fetch: globalThis.fetch, ...limits });
  return { get, headers, url };
}

describe('createGet', () => {
  it('asks below the base and hands over status, text and the time of the answer', async () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT';
    const { get, headers } = await ask((response, path) =>
      response.writeHead(418, { date }).end(`${path} 注文`),
    );
    expect(await get('/a?b=c')).toEqual({ status: 418, text: '/base/a?b=c 注文', date: 1_795_176_000 });
    expect(headers[0]).toMatchObject({ 'x-key': 'k', 'user-agent': 'ducat-gateway' });
  });

  it('does without a time where there is none', async () => {
    const { get } = await ask((response) => {
      response.sendDate = false;
      response.end('x');
    });
    expect((await get('/')).date).toBeNull();
  });

  it.each([
    [
      'a body over the limit',
      (response: ServerResponse) => response.end('x'.repeat(1_001)),
      'more than 1000 bytes',
    ],
    [
      'a small body that unpacks to a large one',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
      'more than 1000 bytes',
    ],
    [
      'bytes that are no UTF-8',
      (response: ServerResponse) => response.end(Buffer.from([0xc3, 0x28])),
      'not UTF-8',
    ],
    [
      'a redirect',
      (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'cannot be reached',
    ],
    ['a connection that is cut', (response: ServerResponse) => response.destroy(), 'cannot be reached'],
  ])('does not take %s', async (_, answer, reason) => {
    const { get } = await ask(answer);
    await expect(get('/')).rejects.toMatchObject({
      name: 'Outage',
      message: expect.stringContaining(reason),
    });
  });

  it('takes a body of exactly the limit', async () => {
    const { get } = await ask((response) => response.end('x'.repeat(1_000)));
    expect((await get('/')).text).toHaveLength(1_000);
  });

  it.each([
    ['says nothing', () => undefined],
    ['begins and does not end', (response: ServerResponse) => void response.write('{')],
  ])('waits no longer than its time for a host that %s', async (_, answer) => {
    const clock = createHandClock(0);
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { get } = await ask((response) => {
      answer(response);
      arrive();
    }, clock);
    const asked = get('/').catch((error: unknown) => error);
    await arrived;
    clock.advance(5_000);
    expect(await asked).toMatchObject({
      name: 'Outage',
      message: 'did not answer within 5000 ms',
      retryable: true,
    });
  });

  it('names neither the address nor the key when nobody is there', async () => {
    const { get, url } = await ask((response) => response.end());
    servers[0]?.close();
    servers[0]?.closeAllConnections();
    const error = await get('/secret-path').catch((thrown: unknown) => thrown);
    expect(String(error)).toBe('Outage: cannot be reached (ECONNREFUSED)');
    expect(String(error)).not.toContain(url);
  });

  it.each(['ftp://x', 'not a url', ''])('refuses the base %j', (url) => {
    const make = () =>
      createGet({
        url,
        headers: {},
        world: realWorld,
        fetch: globalThis.fetch,
        timeoutMs: 1,
        gapMs: 0,
        maxBodyBytes: 1,
      });
    expect(make).toThrow('not an http or https URL');
  });
});

describe('textOf', () => {
  it('is the text of a 200 and of nothing else', () => {
    expect(textOf({ status: 200, text: 'x', date: null })).toBe('x');
    expect(() => textOf({ status: 404, text: 'x', date: null })).toThrow('answered HTTP 404');
  });
});
