// Shows on real loopback connections that a kept one is used again, and that each webhook is sent once per attempt.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import type { PostRequest } from '../port.ts';
import { createPoster, type Poster } from './post.ts';
import { FREE_MS } from './receiver-client.ts';
import { parseAllowList } from './routable-address.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

function poster(resolve = () => Promise.resolve(['127.0.0.1'])): Poster {
  const made = createPoster({ resolve, allowed: parseAllowList(['127.0.0.0/8', '::1/128']) });
  open.push(() => made.close());
  return made;
}

async function listen(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  // A TCP server that listens has an address of this kind.
  return (server.address() as AddressInfo).port;
}

function requestTo(url: string, change: Partial<PostRequest> = {}): PostRequest {
  return { url, headers: {}, body: '{}', timeoutMs: 5_000, ...change };
}

/** Answers all; its port, and how many connections it got. */
async function countingReceiver(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((_request, response) => response.end('Success'));
  server.on('connection', () => {
    connections += 1;
  });
  return { port: await listen(server), connections: () => connections };
}

/** Answers the first webhook and only takes in the second, which comes on the same connection. */
async function takesInTheSecond() {
  const got: string[] = [];
  let takeIn: (connection: Socket) => void = () => undefined;
  const takenIn = new Promise<Socket>((resolve) => {
    takeIn = resolve;
  });
  const receive: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      got.push(body);
      if (body === 'first') response.end('Success');
      else takeIn(request.socket);
    });
  };
  return { url: `http://127.0.0.1:${await listen(createServer(receive))}/`, got, takenIn };
}

describe('a kept connection', () => {
  it('serves the next webhook to the same addresses', async () => {
    const { port, connections } = await countingReceiver();
    const { post } = poster(() => Promise.resolve(['127.0.0.1']));
    for (let i = 0; i < 3; i++) await post(requestTo(`http://shop.example:${port}/`));
    expect(connections()).toBe(1);
  });

  it('carries nothing over from one webhook to the next, or hundreds of listeners would pile up', async () => {
    const { port } = await countingReceiver();
    const { post } = poster();
    const warnings: string[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', onWarning);
    open.push(() => process.off('warning', onWarning));
    for (let i = 0; i < 20; i++) await post(requestTo(`http://127.0.0.1:${port}/`));
    // Warnings are emitted in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it('is not used when the name points elsewhere by now', async () => {
    const { port, connections } = await countingReceiver();
    const answers = [['127.0.0.1'], ['127.0.0.1', '::1']];
    const { post } = poster(() => Promise.resolve(answers.shift() ?? []));
    for (let i = 0; i < 2; i++) await post(requestTo(`http://shop.example:${port}/`));
    expect(connections()).toBe(2);
  });

  it('that the receiver closes while it is free costs no attempt', async () => {
    const free: Socket[] = [];
    let requests = 0;
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        requests += 1;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSuccess');
        free.push(socket);
      });
    });
    const target = requestTo(`http://127.0.0.1:${await listen(server)}/`);
    const { post } = poster();
    expect(await post(target)).toMatchObject({ outcome: 'delivered' });
    // The other end is closed in answer, so it was noticed.
    const closed = new Promise((resolve) => free[0]?.on('close', resolve));
    free[0]?.end();
    await closed;
    expect(await post(target)).toMatchObject({ outcome: 'delivered' });
    expect(requests).toBe(2);
  });

  it.each([0, 1])(
    'that has just been closed, as number %i of two, gets no webhook of the same turn',
    async (place) => {
      const clients: Socket[] = [];
      // What Node publishes on this channel has the client's socket.
      const onClient = (message: unknown) => void clients.push((message as { socket: Socket }).socket);
      subscribe('net.client.socket', onClient);
      open.push(() => void unsubscribe('net.client.socket', onClient));
      const asked: Socket[] = [];
      const answer = (socket?: Socket) =>
        socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSuccess');
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.on('data', () => {
          asked.push(socket);
          // The first two wait for each other, so that there are two connections.
          if (asked.length === 2) asked.forEach(answer);
          if (asked.length > 2) answer(socket);
        });
      });
      const target = requestTo(`http://127.0.0.1:${await listen(server)}/`);
      const { post } = poster();
      await Promise.all([post(target), post(target)]);
      // In the next turn both are free.
      await new Promise((resolve) => setImmediate(resolve));
      const ended = asked[place];
      const client = clients.find(({ localPort }) => localPort === ended?.remotePort);
      const next = new Promise((resolve) => client?.once('end', () => resolve(post(target))));
      ended?.end();
      expect(await next).toEqual({ outcome: 'delivered', httpStatus: 200 });
      expect(asked.length).toBe(3);
    },
  );

  it.each(['resetAndDestroy', 'destroy'] as const)(
    'that ends with the webhook on it (%s) has cost the attempt: it may have arrived',
    async (how) => {
      const { url, got, takenIn } = await takesInTheSecond();
      const { post } = poster();
      await post(requestTo(url, { body: 'first' }));
      const second = post(requestTo(url, { body: 'second' }));
      (await takenIn)[how]();
      expect(await second).toEqual({ outcome: 'connection-failed', httpStatus: null });
      expect(got).toEqual(['first', 'second']);
    },
  );

  it('has all the time of its webhook, however long it may be free', async () => {
    const { url, got, takenIn } = await takesInTheSecond();
    const { post } = poster();
    await post(requestTo(url, { body: 'first' }));
    const second = post(requestTo(url, { body: 'second', timeoutMs: 60_000 }));
    const connection = await takenIn;
    // Longer than a free one stays open.
    await new Promise((resolve) => setTimeout(resolve, FREE_MS + 300));
    connection.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSuccess');
    expect(await second).toEqual({ outcome: 'delivered', httpStatus: 200 });
    expect(got).toEqual(['first', 'second']);
  });

  it('that the poster closes sends nothing anew, and neither does what comes later', async () => {
    const { url, got, takenIn } = await takesInTheSecond();
    const closing = poster();
    const { post } = closing;
    await post(requestTo(url, { body: 'first' }));
    const second = post(requestTo(url, { body: 'second' }));
    await takenIn;
    closing.close();
    const failed = { outcome: 'connection-failed', httpStatus: null };
    expect(await second).toEqual(failed);
    expect(await post(requestTo(url, { body: 'third' }))).toEqual(failed);
    expect(got).toEqual(['first', 'second']);
  });

  it.each(['keep-alive', 'close'])(
    'does not stay when its receiver says Success and never reads (%s)',
    async (connection) => {
      const clients: Socket[] = [];
      // What Node publishes on this channel has the client's socket.
      const onClient = (message: unknown) => void clients.push((message as { socket: Socket }).socket);
      subscribe('net.client.socket', onClient);
      open.push(() => void unsubscribe('net.client.socket', onClient));
      const server = createTcpServer({ pauseOnConnect: true }, (socket) => {
        open.push(() => socket.destroy());
        socket.on('error', () => undefined);
        socket.write(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nContent-Length: 7\r\n\r\nSuccess`);
      });
      const url = `http://127.0.0.1:${await listen(server)}/`;
      // More than the system takes in for a peer that reads nothing.
      const body = ' '.repeat(32 * 1024 * 1024);
      expect(await poster().post(requestTo(url, { body }))).toEqual({
        outcome: 'delivered',
        httpStatus: 200,
      });
      await waitUntil('its end', () => clients.length === 1 && clients[0]?.destroyed === true);
    },
  );
});
