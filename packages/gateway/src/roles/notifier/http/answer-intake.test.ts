// Shows on real loopback connections that a receiver's bytes are bounded before they cost anything.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import {
  AnswerBody,
  MAX_ANSWER_BYTES,
  MAX_INFORMATIONAL,
  MAX_LINES,
  MAX_RECEIVED_BYTES,
} from './answer-intake.ts';
import { Exchange } from './exchange.ts';
import { ReceiverClient } from './receiver-client.ts';

/** Most that Node reads from a connection before anybody can say stop. */
const ONE_READ = 64 * 1024;

/** What a client saw of a receiver that sends `begin` once and `flood` for ever. */
async function clientOf(begin: string, flood: string) {
  const bytes = Buffer.from(flood);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(begin);
      const pump = () => {
        while (!socket.destroyed && socket.write(bytes));
      };
      socket.on('drain', pump);
      pump();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const seen = { outcome: '', informational: 0, pieces: 0, read: 0 };
  class Watched extends Exchange {
    override onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
      if (status < 200) seen.informational += 1;
      super.onResponseStart(controller, status);
    }

    override onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
      seen.pieces += 1;
      super.onResponseData(controller, piece);
    }
  }
  const ended = new Promise<void>((resolve) => {
    const onSocket = (message: unknown) => {
      // What Node publishes on this channel has the client's socket.
      const { socket } = message as { socket: Socket };
      socket.once('close', () => {
        seen.read = socket.bytesRead;
        unsubscribe('net.client.socket', onSocket);
        resolve();
      });
    };
    subscribe('net.client.socket', onSocket);
  });
  const destination = { url: new URL(`http://127.0.0.1:${port}/`), addresses: ['127.0.0.1'] };
  const client = new ReceiverClient(destination, new LRUCache({ max: 1 }), () => undefined);
  const exchange = new Watched(
    () => client.answered(),
    ({ outcome }) => {
      seen.outcome = outcome;
      client.close();
    },
  );
  client.send({ path: '/', method: 'POST', body: '{}' }, exchange);
  await ended;
  await new Promise((resolve) => server.close(resolve));
  return seen;
}

describe('an intake', () => {
  it('ends informational answers after a few, however many came in one read', async () => {
    const seen = await clientOf('', 'HTTP/1.1 100 \r\n\r\n'.repeat(4_000));
    expect(seen.outcome).toBe('bad-http');
    expect(seen.informational).toBe(MAX_INFORMATIONAL + 1);
    expect(seen.read).toBeLessThanOrEqual(ONE_READ);
  });

  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  it.each([
    ['extensions of chunks', chunked, `1;${'a'.repeat(8_000)}\r\nx\r\n`],
    ['chunks of one byte', chunked, '1\r\nx\r\n'.repeat(1_000)],
    ['long informational answers', '', `HTTP/1.1 103 \r\nLink: ${'a'.repeat(15_000)}\r\n\r\n`],
    ['trailers', `${chunked}0\r\n`, `X: ${'a'.repeat(8_000)}\r\n`],
    ['empty lines before the answer', '', '\r\n'.repeat(8_000)],
    ['white space in a header', 'HTTP/1.1 200 OK\r\nX:', ' '.repeat(16_000)],
    ['folded headers', 'HTTP/1.1 200 OK\r\nX: y\r\n', ' y\r\n'.repeat(4_000)],
    ['a reason without an end', 'HTTP/1.1 200 ', 'a'.repeat(16_000)],
    ['leading zeros of a size', chunked, '0'.repeat(16_000)],
    ['answer after answer', '', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(1_000)],
  ])('reads little more than its bound of %s', async (_name, begin, flood) => {
    const seen = await clientOf(begin, flood);
    expect(seen.read).toBeLessThanOrEqual(MAX_RECEIVED_BYTES + ONE_READ);
    // Two lines each, and those before the lines are counted.
    expect(seen.pieces).toBeLessThanOrEqual(MAX_LINES / 2 + 4_096 / 6);
  });
});

describe('the body of an answer', () => {
  it('is a copy of what came, in whatever pieces', () => {
    const body = new AnswerBody();
    const read = Buffer.from(`  Succ\u00e8ss${' '.repeat(1_000)}`);
    const text = read.toString();
    for (let at = 0; at < read.length; at++) expect(body.add(read.subarray(at, at + 1))).toBe(true);
    read.fill(0);
    expect(body.text()).toBe(text);
  });

  it('has a longest length', () => {
    const body = new AnswerBody();
    expect(body.add(Buffer.alloc(MAX_ANSWER_BYTES - 1, ' '))).toBe(true);
    expect(body.add(Buffer.from('xy'))).toBe(false);
    expect(body.add(Buffer.from('x'))).toBe(true);
    expect(body.add(Buffer.from('x'))).toBe(false);
    expect(body.text()).toBe(`${' '.repeat(MAX_ANSWER_BYTES - 1)}x`);
  });
});
