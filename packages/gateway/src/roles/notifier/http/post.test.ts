// Shows on real loopback connections what counts as delivered, and that no receiver can do more than answer.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_ANSWER_BYTES } from './answer-intake.ts';
import { createPoster, type Poster } from './post.ts';
import { realWorld } from '../../../runtime/world.ts';
import type { PostRequest } from '../port.ts';
import { createResolveHost } from './resolve-host.ts';
import { parseAllowList } from './routable-address.ts';

const resolveHost = createResolveHost(realWorld);
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

function poster(resolve = resolveHost, allowed = ['127.0.0.0/8', '::1/128']): Poster {
  const made = createPoster({ resolve, allowed: parseAllowList(allowed) });
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

/** A receiver on loopback; its address. */
async function receiver(handler: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(handler))}/hook`;
}

/** A receiver that speaks raw TCP. */
async function rawReceiver(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  open.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listen(server);
}

function requestTo(url: string, change: Partial<PostRequest> = {}): PostRequest {
  return { url, headers: { 'X-Sign': 'abc' }, body: '{"a":"ä注"}', timeoutMs: 5_000, ...change };
}

describe('an answer', () => {
  it.each([
    [200, 'Success', 'delivered'],
    [200, ' \r\n\tSuccess\n ', 'delivered'],
    [200, 'success', 'wrong-answer'],
    [200, 'Success!', 'wrong-answer'],
    [200, '"Success"', 'wrong-answer'],
    [200, '{"code":0,"msg":"Success"}', 'wrong-answer'],
    [200, '', 'wrong-answer'],
    [201, 'Success', 'http-status'],
    [202, 'Success', 'http-status'],
    [204, '', 'http-status'],
    [404, 'Success', 'http-status'],
    [500, 'Success', 'http-status'],
  ] as const)('of %i and "%s" is %s', async (status, text, outcome) => {
    const url = await receiver((_request, response) => response.writeHead(status).end(text));
    expect(await poster().post(requestTo(url))).toEqual({ outcome, httpStatus: status });
  });

  it('is not unpacked', async () => {
    const url = await receiver((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('Success'));
    });
    expect(await poster().post(requestTo(url))).toEqual({ outcome: 'wrong-answer', httpStatus: 200 });
  });

  it.each([301, 302, 303, 307, 308])('that redirects with %i is not followed', async (status) => {
    let followed = 0;
    const target = await receiver((_request, response) => {
      followed += 1;
      response.end('Success');
    });
    const url = await receiver((_request, response) =>
      response.writeHead(status, { Location: target }).end(),
    );
    expect(await poster().post(requestTo(url))).toEqual({ outcome: 'http-status', httpStatus: status });
    expect(followed).toBe(0);
  });
});

describe('what is sent', () => {
  it('is one POST of exactly these bytes', async () => {
    let got: unknown;
    const url = await receiver((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        const { host, 'x-sign': sign, 'content-length': length, 'transfer-encoding': encoding } = headers;
        got = {
          method,
          path: request.url,
          host,
          sign,
          length,
          encoding,
          body: Buffer.concat(chunks).toString(),
        };
        response.end('Success');
      });
    });
    await poster().post(requestTo(`${url}?x=1#fragment`));
    const { host } = new URL(url);
    expect(got).toEqual({
      method: 'POST',
      path: '/hook?x=1',
      host,
      sign: 'abc',
      length: '13',
      encoding: undefined,
      body: '{"a":"ä注"}',
    });
  });
});

describe('the time limit', () => {
  it('cuts a receiver that never answers', async () => {
    const url = await receiver(() => undefined);
    expect(await poster().post(requestTo(url, { timeoutMs: 150 }))).toEqual({
      outcome: 'timeout',
      httpStatus: null,
    });
  });

  it('cuts a body that drips', async () => {
    let drops = 0;
    const url = await receiver((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => {
        drops += 1;
        response.write(' ');
      }, 10);
      response.on('close', () => clearInterval(drip));
    });
    expect(await poster().post(requestTo(url, { timeoutMs: 300 }))).toEqual({
      outcome: 'timeout',
      httpStatus: 200,
    });
    expect(drops).toBeGreaterThan(1);
  });

  it('cuts headers that drip', async () => {
    const port = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-A: b\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    const answer = await poster().post(requestTo(`http://127.0.0.1:${port}/`, { timeoutMs: 300 }));
    expect(answer).toEqual({ outcome: 'timeout', httpStatus: null });
  });

  it('counts the name service too', async () => {
    const never = poster(() => new Promise(() => undefined));
    const answer = await never.post(requestTo('http://shop.example/', { timeoutMs: 100 }));
    expect(answer).toEqual({ outcome: 'timeout', httpStatus: null });
  });

  it('cuts a TLS handshake that never comes', async () => {
    const port = await rawReceiver(() => undefined);
    const answer = await poster().post(requestTo(`https://127.0.0.1:${port}/`, { timeoutMs: 150 }));
    expect(answer).toEqual({ outcome: 'timeout', httpStatus: null });
  });
});

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('the size limit', () => {
  it('reads 64 KiB and no more', async () => {
    const answerOf = (bytes: number) =>
      receiver((_request, response) => response.end(`Success${' '.repeat(bytes - 'Success'.length)}`));
    expect(await poster().post(requestTo(await answerOf(MAX_ANSWER_BYTES)))).toMatchObject({
      outcome: 'delivered',
    });
    expect(await poster().post(requestTo(await answerOf(MAX_ANSWER_BYTES + 1)))).toEqual({
      outcome: 'too-large',
      httpStatus: 200,
    });
  });

  it('hangs up on an answer without an end', async () => {
    let closed: (() => void) | undefined;
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await receiver((_request, response) => {
      response.on('close', () => closed?.());
      const flood = (): void => {
        while (!response.destroyed && response.write(' '.repeat(16_384)));
        response.once('drain', flood);
      };
      flood();
    });
    expect(await poster().post(requestTo(url))).toEqual({ outcome: 'too-large', httpStatus: 200 });
    await hungUp;
  });

  it.each([
    ['informational answers', '', 'HTTP/1.1 100 \r\n\r\n'.repeat(500), 'bad-http', null],
    ['empty lines', '', '\r\n'.repeat(8_000), 'bad-http', null],
    ['extensions of chunks', CHUNKED, `1;${'a'.repeat(8_000)}\r\nx\r\n`, 'too-large', 200],
    ['white space of one byte each', CHUNKED, '1\r\n \r\n'.repeat(1_000), 'too-large', 200],
  ] as const)('hangs up on %s without an end', async (_name, begin, flood, outcome, httpStatus) => {
    const port = await rawReceiver((socket) =>
      socket.once('data', () => {
        socket.write(begin);
        const pump = () => {
          while (!socket.destroyed && socket.write(flood));
        };
        socket.on('drain', pump);
        pump();
      }),
    );
    const answer = await poster().post(requestTo(`http://127.0.0.1:${port}/`));
    expect(answer).toEqual({ outcome, httpStatus });
  });

  const around = (lines: string) => `${lines}Success${lines}`;
  it.each([
    ['empty lines', around('\n'.repeat(2_500)), 'delivered'],
    ['lines of white space', around(' \t\r\n'.repeat(3_000)), 'delivered'],
    ['lines of text', around('x\n'.repeat(2_500)), 'too-large'],
  ] as const)('counts the lines of an answer, but not the empty ones: %s', async (_name, body, outcome) => {
    const port = await rawReceiver((socket) =>
      socket.once('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      ),
    );
    const answer = await poster().post(requestTo(`http://127.0.0.1:${port}/`));
    expect(answer).toEqual({ outcome, httpStatus: 200 });
  });

  it('lets a few informational answers pass', async () => {
    const port = await rawReceiver((socket) =>
      socket.once('data', () => {
        const before = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
        socket.write(`${before}HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSuccess`);
      }),
    );
    const answer = await poster().post(requestTo(`http://127.0.0.1:${port}/`));
    expect(answer).toEqual({ outcome: 'delivered', httpStatus: 200 });
  });

  it('hangs up on endless headers', async () => {
    const port = await rawReceiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}`);
    });
    const answer = await poster().post(requestTo(`http://127.0.0.1:${port}/`));
    expect(answer).toEqual({ outcome: 'bad-http', httpStatus: null });
  });
});

describe('a connection', () => {
  it('that is refused', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const answer = await poster().post(requestTo(`http://127.0.0.1:${port}/`));
    expect(answer).toEqual({ outcome: 'connection-failed', httpStatus: null });
  });

  it.each([
    ['that speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n', { outcome: 'bad-http', httpStatus: null }],
    ['that is closed without a word', '', { outcome: 'connection-failed', httpStatus: null }],
    [
      'that is closed half-way through the answer',
      'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSuc',
      { outcome: 'connection-failed', httpStatus: 200 },
    ],
    [
      'that changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      { outcome: 'connection-failed', httpStatus: null },
    ],
  ])('%s', async (_name, text, answer) => {
    const port = await rawReceiver((socket) => socket.once('data', () => socket.end(text)));
    expect(await poster().post(requestTo(`http://127.0.0.1:${port}/`))).toEqual(answer);
  });

  it('that is gone before its address is looked at is no alarm about addresses', async () => {
    const onSocket = (message: unknown) => {
      // What Node publishes on this channel has the client's socket.
      const { socket } = message as { socket: Socket };
      socket.once('connect', () => socket.destroy());
    };
    subscribe('net.client.socket', onSocket);
    open.push(() => void unsubscribe('net.client.socket', onSocket));
    const port = await rawReceiver(() => undefined);
    const answer = await poster().post(requestTo(`http://127.0.0.1:${port}/`));
    expect(answer).toEqual({ outcome: 'connection-failed', httpStatus: null });
  });

  it('over TLS names the host of the URL, not the address, and fails where no TLS is spoken', async () => {
    let hello = '';
    const port = await rawReceiver((socket) =>
      socket.once('data', (data) => {
        hello = data.toString('latin1');
        socket.end('HTTP/1.1 200 OK\r\n\r\nSuccess');
      }),
    );
    const named = poster(() => Promise.resolve(['127.0.0.1']));
    const answer = await named.post(requestTo(`https://shop.example:${port}/`));
    expect(answer).toEqual({ outcome: 'tls-failed', httpStatus: null });
    expect(hello).toContain('shop.example');
  });

  it('over TLS offers no key exchange that costs the sender much and the receiver little', async () => {
    const received = new Promise<Buffer>((resolve) => {
      void rawReceiver((socket) => socket.once('data', resolve)).then((port) =>
        poster().post(requestTo(`https://127.0.0.1:${port}/`, { timeoutMs: 1_000 })),
      );
    });
    // The record and the message around it, version and chance; then the session with its length.
    const hello = (await received).subarray(5 + 4 + 2 + 32);
    const suites = hello.subarray(1 + hello.readUInt8());
    const offered = Array.from({ length: suites.readUInt16BE() / 2 }, (_, at) =>
      suites.readUInt16BE(2 + 2 * at),
    );
    const tls13 = [0x1301, 0x1302, 0x1303];
    const ecdhe = [0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8];
    // 0x00ff is no suite: with it OpenSSL before 3.5 says that it renegotiates safely, and later ones say so elsewhere.
    expect(new Set([...offered, 0x00ff])).toEqual(new Set([...tls13, ...ecdhe, 0x00ff]));
  });

  it('goes to the next vetted address when the first does not answer', async () => {
    const url = await receiver((_request, response) => response.end('Success'));
    const both = poster(() => Promise.resolve(['::1', '127.0.0.1']));
    const { port } = new URL(url);
    expect(await both.post(requestTo(`http://shop.example:${port}/`))).toMatchObject({
      outcome: 'delivered',
    });
  });
});

describe('the address', () => {
  it('is resolved once per attempt and the connection pinned to it', async () => {
    let requests = 0;
    const url = await receiver((request, response) => {
      requests += 1;
      expect(request.headers.host).toContain('shop.example');
      response.end('Success');
    });
    const { port } = new URL(url);
    // The first address stands for a public one, the second for one inside: DNS rebinding.
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let asked = 0;
    const rebinding = poster(() => Promise.resolve(answers[asked++] ?? ['127.0.0.2']), ['127.0.0.1/32']);
    const target = requestTo(`http://shop.example:${port}/`);
    expect(await rebinding.post(target)).toMatchObject({ outcome: 'delivered' });
    expect(asked).toBe(1);
    expect(await rebinding.post(target)).toEqual({ outcome: 'refused-address', httpStatus: null });
    expect(asked).toBe(2);
    expect(requests).toBe(1);
  });

  it('inside is never connected to without the operator', async () => {
    let connections = 0;
    const port = await rawReceiver(() => {
      connections += 1;
    });
    const strict = poster(resolveHost, []);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '0x7f.1',
      '2130706433',
      '[::ffff:127.0.0.1]',
      '0',
      '[::1]',
    ]) {
      const answer = await strict.post(requestTo(`http://${host}:${port}/`));
      expect(answer).toEqual({ outcome: 'refused-address', httpStatus: null });
    }
    expect(connections).toBe(0);
  });

  it('that cannot be found is distinguished', async () => {
    const lost = poster(() => Promise.reject(new Error('NXDOMAIN')));
    const answer = await lost.post(requestTo('https://shop.example/'));
    expect(answer).toEqual({ outcome: 'unresolved', httpStatus: null });
  });
});
