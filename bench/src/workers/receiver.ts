// The merchant's receiver of webhooks: answers Success to each, and records when it arrived.
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Rate } from '../rounds.ts';
import { serveParent } from '../worker.ts';

interface Wait {
  readonly count: number;
  readonly done: (rate: Rate) => void;
}

/** When each webhook arrived, by the trade_no in its body. A repeated webhook keeps its first time. */
const arrivals = new Map<string, number>();
let count = 0;
let firstMs = 0;
let wait: Wait | null = null;

const handlers = {
  async listen(_nothing: null): Promise<string> {
    const server = createServer((request, response) => {
      readBody(request, (body) => {
        arrived(body);
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 7 });
        response.end('Success');
      });
    });
    server.keepAliveTimeout = 60_000;
    return `http://127.0.0.1:${await listening((then) => server.listen(0, '127.0.0.1', then), server)}/hook`;
  },
  /** A URL that accepts connections and never answers. */
  async listenDead(_nothing: null): Promise<string> {
    const server = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
    return `http://127.0.0.1:${await listening((then) => server.listen(0, '127.0.0.1', then), server)}/hook`;
  },
  /** Waits for so many webhooks from now on. Returns the rate from the first to the last. */
  take(expected: number): Promise<Rate> {
    count = 0;
    return new Promise((done) => {
      wait = { count: expected, done };
    });
  },
  /** Unix milliseconds of each arrival, by trade_no. */
  arrivals(_nothing: null): ReadonlyMap<string, number> {
    return arrivals;
  },
};

export type Receiver = typeof handlers;

function arrived(body: string): void {
  const tradeNo = /"trade_no":"([^"]*)"/.exec(body)?.[1] ?? '';
  if (!arrivals.has(tradeNo)) arrivals.set(tradeNo, Date.now());
  count += 1;
  const nowMs = performance.now();
  if (count === 1) firstMs = nowMs;
  if (wait === null || count < wait.count) return;
  // The first one starts the clock, so it is not counted.
  wait.done({ count: count - 1, seconds: (nowMs - firstMs) / 1000 });
  wait = null;
}

function readBody(request: IncomingMessage, then: (body: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(Buffer.concat(chunks).toString('utf8')));
}

async function listening(
  listen: (then: () => void) => void,
  server: { address(): AddressInfo | string | null },
): Promise<number> {
  await new Promise<void>((resolve) => listen(resolve));
  // Listening on TCP gives an address with a port.
  return (server.address() as AddressInfo).port;
}

serveParent(handlers);
