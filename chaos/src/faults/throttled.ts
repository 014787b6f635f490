// A server in the place of the nodes: it answers every request with 429, as a provider does above its rate limit.
import { createServer } from 'node:http';
import type { Target } from '@ducat/devnet/net/tcp-proxy';

export interface Throttled {
  readonly target: Target;
  /** Requests that were answered with 429. */
  readonly answered: () => number;
  stop(): Promise<void>;
}

const RETRY_AFTER_S = 1;

export async function startThrottled(): Promise<Throttled> {
  let answered = 0;
  const server = createServer((request, response) => {
    answered += 1;
    request.resume();
    response.writeHead(429, { 'retry-after': String(RETRY_AFTER_S), 'content-type': 'text/plain' });
    response.end('too many requests');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    target: { host: '127.0.0.1', port: address.port },
    answered: () => answered,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
