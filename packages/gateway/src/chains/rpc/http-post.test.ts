// Bytes to a real server and back: headers, packed answers, answers that break off, and ones that are not wanted.
import { createServer, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { readBounded } from './bounded-body.ts';
import { createHttpPost, type HttpResponse } from './http-post.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/v3/key`;
}

async function post(answer: RequestListener, signal = new AbortController().signal): Promise<HttpResponse> {
  const url = await listen(answer);
  return createHttpPost()({ url, headers: { 'x-key': 'abc' }, body: '{"a":1}', signal });
}

it('sends the body with its headers, and gives status and body', async () => {
  const response = await post((request, answer) => {
    const key = String(request.headers['x-key']);
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => answer.writeHead(429, {}).end(`${request.method} ${request.url} ${key} ${body}`));
  });
  expect(response).toMatchObject({ status: 429 });
  expect(String(await readBounded(response.body, 100))).toBe('POST /v3/key abc {"a":1}');
});

it('unpacks what comes packed, and counts it unpacked', async () => {
  const packed: RequestListener = (_request, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000)));
  };
  expect(await readBounded((await post(packed)).body, 1_000_000)).toHaveLength(1_000_000);
  await expect(readBounded((await post(packed)).body, 999_999)).rejects.toThrow('more than 999999 bytes');
});

it.each(['gzip', 'identity'])('fails where a body (%s) breaks off', async (encoding) => {
  const response = await post((_request, answer) => {
    answer.writeHead(200, { 'content-encoding': encoding, 'content-length': 1_000 });
    answer.write(encoding === 'gzip' ? gzipSync('abcdefgh').subarray(0, 12) : 'abc', () => answer.destroy());
  });
  await expect(readBounded(response.body, 1_000)).rejects.toThrow();
});

it('follows no redirect, and leaves no trace of an answer that is not wanted', async () => {
  const stop = new AbortController();
  const response = await post((_request, answer) => {
    answer.writeHead(302, { location: 'http://127.0.0.1:1/' });
    answer.write('x'.repeat(1_000));
  }, stop.signal);
  expect(response.status).toBe(302);
  stop.abort();
  await expect(readBounded(response.body, 1_000_000)).rejects.toThrow();
});

it('sends again, once, where the provider closed the free connection meanwhile', async () => {
  let requests = 0;
  const used = new Set<unknown>();
  const url = await listen((request, answer) => {
    requests += 1;
    if (used.has(request.socket)) return request.socket.destroy();
    used.add(request.socket);
    return answer.end('{}');
  });
  const http = createHttpPost();
  const { signal } = new AbortController();
  for (let calls = 0; calls < 3; calls++) {
    const { body } = await http({ url, headers: {}, body: '{}', signal });
    expect(String(await readBounded(body, 100))).toBe('{}');
  }
  // At least one request met a connection that was closed under it.
  expect(requests).toBeGreaterThan(used.size);
});

it('gives up where the provider closes every connection', async () => {
  let requests = 0;
  const closing = post((request) => {
    requests += 1;
    request.socket.destroy();
  });
  await expect(closing).rejects.toThrow();
  expect(requests).toBe(2);
});
