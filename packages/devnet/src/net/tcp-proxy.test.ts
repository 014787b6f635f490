// Shows each kind of trouble that the TCP proxy can make.
import { once } from 'node:events';
import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TcpProxy, Trouble } from './tcp-proxy.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { waitUntil } from '../process/wait-until.ts';

let echo: Server;
let proxy: TcpProxy;
beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  proxy = await startTcpProxy({ host: '127.0.0.1', port: typeof address === 'object' ? address!.port : 0 });
});
afterEach(() => proxy.setTrouble({}));
afterAll(async () => {
  await proxy.stop();
  echo.close();
});

/** Sends a text, half-closes, and returns the answer and how the connection ended. */
async function exchange(text: string): Promise<{ received: string; end: string; tookMs: number }> {
  const startMs = performance.now();
  const socket = connect(proxy.port, '127.0.0.1');
  let received = '';
  let end = 'closed';
  socket.setEncoding('utf8').on('data', (piece) => {
    received += String(piece);
  });
  socket.on('error', (error) => {
    end = 'code' in error ? String(error.code) : error.message;
  });
  socket.end(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return { received, end, tookMs: performance.now() - startMs };
}

describe('startTcpProxy', () => {
  it('passes data unharmed by default', async () => {
    const text = 'x'.repeat(1_000_000);
    expect((await exchange(text)).received).toBe(text);
  });

  it('delays, keeping the order', async () => {
    proxy.setTrouble({ latencyMs: 100 });
    const { received, tookMs } = await exchange('hello');
    expect(received).toBe('hello');
    expect(tookMs).toBeGreaterThan(195);
  });

  it('truncates politely and resets rudely after so many bytes', async () => {
    proxy.setTrouble({ truncateAfterBytes: 3 });
    expect(await exchange('hello')).toMatchObject({ received: 'hel', end: 'closed' });
    proxy.setTrouble({ resetAfterBytes: 3 });
    expect((await exchange('hello')).end).toBe('ECONNRESET');
  });

  it('garbles what follows so many bytes, at the same length', async () => {
    proxy.setTrouble({ garbleAfterBytes: 2 });
    expect((await exchange('hello')).received).toBe('he~~~');
  });

  it('holds what it is given until it is released, and a cut throws that away', async () => {
    for (const [rest, received] of [
      ['released', 'ab'],
      ['cut', 'a'],
    ]) {
      const socket = connect(proxy.port, '127.0.0.1');
      socket.on('error', () => undefined);
      let text = '';
      socket.setEncoding('utf8').on('data', (piece) => {
        text += String(piece);
      });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write('a');
      await waitUntil('the first answer', () => text === 'a');
      proxy.setTrouble({ hold: true });
      socket.write('b');
      await waitUntil('the proxy to hold the rest', () => proxy.heldPieces() === 1);
      expect(text).toBe('a');
      if (rest === 'cut') proxy.cut();
      proxy.setTrouble({});
      socket.end();
      await closed;
      expect(text).toBe(received);
      expect(proxy.heldPieces()).toBe(0);
    }
  });

  it.each<[string, Trouble]>([
    ['delays', { latencyMs: 10 }],
    ['resets', { resetAfterBytes: 3 }],
    ['truncates', { truncateAfterBytes: 3 }],
    ['garbles', { garbleAfterBytes: 3 }],
    ['refuses', { refuse: true }],
  ])('counts what it %s, and nothing that it lets pass', async (_what, trouble) => {
    const before = proxy.hits();
    await exchange('hello');
    expect(proxy.hits()).toBe(before);
    proxy.setTrouble(trouble);
    expect(proxy.hits()).toBe(before);
    await exchange('hello');
    expect(proxy.hits()).toBeGreaterThan(before);
  });

  it('refuses new connections and cuts open ones', async () => {
    proxy.setTrouble({ refuse: true });
    expect((await exchange('hello')).received).toBe('');
    proxy.setTrouble({});
    const socket = connect(proxy.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    await waitUntil('the connection to reach the proxy', () => proxy.openConnections() === 1);
    proxy.cut();
    await closed;
    await waitUntil('the proxy to notice', () => proxy.openConnections() === 0);
  });
});
