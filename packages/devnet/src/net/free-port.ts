// Finds a TCP port on 127.0.0.1 that is free now and is not in the range that systems assign at random.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that Linux (32768), macOS and Windows (49152) assign to connections and to listeners on port 0. */
const PORTS = { first: 12_000, end: 32_000 };
const ATTEMPTS = 100;

/**
 * A free loopback port. A server can close it and bind it again, because no connection is assigned it in the meantime.
 * Another process may still choose it before the caller binds it, so callers that can retry should.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${PORTS.first} to ${PORTS.end} in ${ATTEMPTS} attempts`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
