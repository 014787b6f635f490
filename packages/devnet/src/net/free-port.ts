// Finds a TCP port on 127.0.0.1 that is free at this moment.
import { createServer } from 'node:net';

/**
 * Asks the operating system for a free loopback port. Another process may take it before the
 * caller binds it, so callers that can retry should.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
