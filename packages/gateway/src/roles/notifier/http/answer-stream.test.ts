// Shows on a real loopback connection that an answer without a length ends with its connection, and no byte of it is lost.
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createPoster } from './post.ts';
import { parseAllowList } from './routable-address.ts';

it.each([
  ['Success', 'delivered'],
  [`Success${' '.repeat(40_000)}`, 'delivered'],
  [`${' '.repeat(40_000)}Success!`, 'wrong-answer'],
] as const)('an answer that ends with its connection (case %#)', async (text, outcome) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${text}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const poster = createPoster({ resolve, allowed: parseAllowList(['127.0.0.0/8']) });
  const url = `http://shop.test:${port}/`;
  expect(await poster.post({ url, headers: {}, body: '{}', timeoutMs: 5_000 })).toEqual({
    outcome,
    httpStatus: 200,
  });
  poster.close();
  await new Promise((closed) => server.close(closed));
});
