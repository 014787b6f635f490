// Shows on real loopback connections that no receiver keeps a free connection open, or others from getting one.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import { KeptClients, MAX_FREE } from './kept-clients.ts';
import { createPoster } from './post.ts';
import { keyOf } from './receiver-client.ts';
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
      const host = /^host: ([a-z0-9.]+)/im.exec(got)?.[1] ?? '';
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

  it('is the oldest to be closed when there are too many, whatever receivers they lead to', () => {
    const kept = new KeptClients<ReturnType<typeof client>>();
    const clients = Array.from({ length: MAX_FREE + 20 }, (_, place) => client(`http://shop-${place}.test`));
    for (const one of clients) kept.add(one);
    expect(clients.map(({ isGone }) => isGone)).toEqual(clients.map((_, place) => place < 20));
  });

  it('is taken once, the newest first, and never one that is gone', () => {
    const kept = new KeptClients<ReturnType<typeof client>>();
    const [first, second, third] = [client('a'), client('a'), client('b')];
    for (const one of [first, second, third]) kept.add(one);
    expect(kept.take('a')).toBe(second);
    expect(kept.take('a')).toBe(first);
    expect(kept.take('a')).toBeNull();
    third.close();
    expect(kept.take('b')).toBeNull();
    kept.add(first);
    kept.closeAll();
    expect(first.isGone).toBe(true);
    expect(kept.take('a')).toBeNull();
  });
});

/** Stands for a client that leads there. */
function client(key: string) {
  return {
    key,
    isGone: false,
    close() {
      this.isGone = true;
    },
  };
}

describe('the key of a connection', () => {
  const key = (url: string, ...addresses: readonly string[]) => keyOf({ url: new URL(url), addresses });
  const same = key('https://shop.test/hook', '192.0.2.1', '192.0.2.2');

  it('is the same for the same addresses, in whatever order a name server lists them', () => {
    expect(key('https://shop.test/other', '192.0.2.2', '192.0.2.1')).toBe(same);
  });

  it('keeps connections apart by what was vetted, host, port and scheme beside it', () => {
    const others = [
      key('https://shop.test/', '192.0.2.1'),
      key('https://shop.test/', '192.0.2.1', '192.0.2.3'),
      key('https://other.test/', '192.0.2.1', '192.0.2.2'),
      key('https://shop.test:444/', '192.0.2.1', '192.0.2.2'),
      key('http://shop.test/', '192.0.2.1', '192.0.2.2'),
    ];
    expect(new Set([same, ...others]).size).toBe(6);
  });
});
