// Shows on real loopback connections that no receiver keeps a free connection open, or others from getting one.
import { type AddressInfo, createServer, Socket } from 'node:net';
import { waitUntil } from '@ducat/devnet/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import { FreeSockets, MAX_FREE_SOCKETS, pinTo } from './pinned-agent.ts';
import { createPoster } from './post.ts';
import { parseAllowList } from './routable-address.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A receiver that keeps its connections, and a poster for which every name leads there. */
async function receiver() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let got = '';
    socket.on('data', (bytes) => {
      got += bytes.toString();
      if (!got.endsWith('\r\n\r\n{}')) return;
      got = '';
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSuccess');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const poster = createPoster({ resolve, allowed: parseAllowList(['127.0.0.0/8']) });
  open.push(() => {
    poster.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const send = async (host: string) => {
    const url = `http://${host}:${port}/`;
    const { outcome } = await poster.post({ url, headers: {}, body: '{}', timeoutMs: 5_000 });
    expect(outcome).toBe('delivered');
  };
  return { sockets, send };
}

describe('a free connection', () => {
  it('is closed by the first byte that its receiver sends on it', async () => {
    const { sockets, send } = await receiver();
    await send('shop.test');
    await send('shop.test');
    expect(sockets.size).toBe(1);
    const startMs = performance.now();
    for (const socket of sockets) socket.write('\r\n');
    await waitUntil('the connection to be closed', () => sockets.size === 0);
    // Far less than the time that a free connection has.
    expect(performance.now() - startMs).toBeLessThan(2_000);
    await send('shop.test');
  });

  it('is the oldest to be closed when there are too many, whatever hosts they lead to', async () => {
    const { sockets, send } = await receiver();
    for (let host = 0; host < MAX_FREE_SOCKETS + 20; host++) await send(`h${host}.test`);
    await waitUntil('the oldest to be closed', () => sockets.size === MAX_FREE_SOCKETS);
    await send(`h${MAX_FREE_SOCKETS + 19}.test`);
    expect(sockets.size).toBe(MAX_FREE_SOCKETS);
  });
});

describe('the time of a free connection', () => {
  it('is over at its end, and does not run while it is in use', async () => {
    const free = new FreeSockets();
    const socket = new Socket();
    free.add(socket, 5);
    free.remove(socket);
    socket.emit('data', 'an answer');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(socket.destroyed).toBe(false);
    free.add(socket, 5);
    await waitUntil('the end of its time', () => socket.destroyed);
  });
});

describe('a pin', () => {
  it('is the same for the same addresses, in whatever order a name server tells them', () => {
    expect(pinTo(['192.0.2.2', '192.0.2.1']).pinnedTo).toBe(pinTo(['192.0.2.1', '192.0.2.2']).pinnedTo);
  });
});
