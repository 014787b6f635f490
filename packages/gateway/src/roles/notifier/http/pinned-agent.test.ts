// Shows on real loopback connections that no receiver keeps a free connection open, or others from getting one.
import { type AddressInfo, createServer, Socket } from 'node:net';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import {
  FreeSockets,
  MAX_FREE_SOCKETS,
  MAX_TICKETS,
  PinnedHttpAgent,
  PinnedHttpsAgent,
  pinTo,
} from './pinned-agent.ts';
import { createPoster } from './post.ts';
import { parseAllowList } from './routable-address.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A receiver that keeps its connections, at brief.test for 2 s, and a poster for which every name leads there. */
async function receiver() {
  const sockets = new Set<Socket>();
  const closed: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let got = '';
    socket.on('data', (bytes) => {
      got += bytes.toString();
      if (!got.endsWith('\r\n\r\n{}')) return;
      const host = /^Host: ([a-z0-9.]+)/m.exec(got)?.[1] ?? '';
      got = '';
      socket.once('close', () => closed.push(host));
      const hint = host === 'brief.test' ? 'Keep-Alive: timeout=2\r\n' : '';
      socket.write(`HTTP/1.1 200 OK\r\n${hint}Content-Length: 7\r\n\r\nSuccess`);
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
  return { sockets, closed, send };
}

describe('a free connection', () => {
  it('is closed by the first byte that its receiver sends on it', async () => {
    const { sockets, closed, send } = await receiver();
    await send('older.test');
    await send('newer.test');
    [...sockets].at(-1)?.write('\r\n');
    await waitUntil('one to be closed', () => closed.length > 0);
    // By its time alone the older one would have been the first.
    expect(closed).toEqual(['newer.test']);
    await send('newer.test');
  });

  it('is closed sooner where its receiver keeps it for less', async () => {
    const { closed, send } = await receiver();
    await send('shop.test');
    await send('brief.test');
    await waitUntil('both to be closed', () => closed.length === 2);
    expect(closed).toEqual(['brief.test', 'shop.test']);
  });

  it('is the oldest to be closed when there are too many, whatever hosts they lead to', () => {
    const free = new FreeSockets();
    const sockets = Array.from({ length: MAX_FREE_SOCKETS + 20 }, () => new Socket());
    open.push(() => {
      for (const socket of sockets) free.remove(socket);
    });
    for (const socket of sockets) free.add(socket, 60_000);
    expect(sockets.map((socket) => socket.destroyed)).toEqual(sockets.map((_, place) => place < 20));
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

  it('is over at once when the receiver has ended it', () => {
    const free = new FreeSockets();
    const socket = new Socket();
    free.add(socket, 60_000);
    socket.emit('end');
    expect(socket.destroyed).toBe(true);
    free.remove(socket);
  });
});

describe('a connection over TLS', () => {
  it('is ended when tickets come without an end', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A TCP server that listens has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const agent = new PinnedHttpsAgent(new FreeSockets());
    const connection = agent.createConnection({ host: '127.0.0.1', port });
    open.push(() => {
      connection.destroy();
      server.close();
    });
    for (let i = 0; i < MAX_TICKETS; i++) connection.emit('session', Buffer.of());
    expect(connection.destroyed).toBe(false);
    connection.emit('session', Buffer.of());
    expect(connection.destroyed).toBe(true);
  });
});

describe('a pin', () => {
  it('is the same for the same addresses, in whatever order a name server lists them', () => {
    expect(pinTo(['192.0.2.2', '192.0.2.1']).pinnedTo).toBe(pinTo(['192.0.2.1', '192.0.2.2']).pinnedTo);
  });

  it.each([
    ['http', new PinnedHttpAgent(new FreeSockets())],
    ['https', new PinnedHttpsAgent(new FreeSockets())],
  ])('keeps connections of %s apart by what was vetted, host and port beside it', (_, agent) => {
    const name = (host: string, port: number, ...addresses: readonly string[]) =>
      agent.getName({ host, port, ...pinTo(addresses) });
    const same = name('shop.test', 443, '192.0.2.1', '192.0.2.2');
    expect(name('shop.test', 443, '192.0.2.2', '192.0.2.1')).toBe(same);
    const others = [
      name('shop.test', 443, '192.0.2.1'),
      name('shop.test', 443, '192.0.2.1', '192.0.2.3'),
      name('other.test', 443, '192.0.2.1', '192.0.2.2'),
      name('shop.test', 444, '192.0.2.1', '192.0.2.2'),
      agent.getName({ host: 'shop.test', port: 443 }),
    ];
    expect(new Set([same, ...others]).size).toBe(6);
  });
});
