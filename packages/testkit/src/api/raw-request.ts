// A request written to a socket byte by byte, for what no HTTP client would send.
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Lets the app listen on a port of the system's choice. Closing the app closes it. */
export async function listenOnAnyPort(app: FastifyInstance): Promise<number> {
  const address = app.server.address();
  if (typeof address === 'object' && address !== null) return address.port;
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return Number(new URL(url).port);
}

/**
 * Everything that was received until the other side closed the connection. Chunks of `body` are written as fast as
 * the socket takes them.
 */
export function rawRequest(
  port: number,
  head: readonly string[],
  body: Iterable<string | Buffer>,
): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.on('error', failed);
    socket.on('close', () => done(received));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const chunks = body[Symbol.iterator]();
    const writeOn = () => {
      for (;;) {
        const next = chunks.next();
        if (next.done === true || socket.writableEnded || socket.destroyed) return;
        if (!socket.write(next.value)) {
          socket.once('drain', writeOn);
          return;
        }
      }
    };
    writeOn();
  });
}
