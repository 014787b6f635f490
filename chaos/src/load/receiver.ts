// A merchant's webhook receiver: a real HTTP server that keeps every delivery, and sometimes fails or is slow.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { startTcpProxy } from '@ducat/devnet/net/tcp-proxy';
import type { Chance } from '../chance.ts';
import { checkWebhook } from '../reader/checks/check-webhook.ts';

/** One request to the receiver. */
export interface Delivery {
  readonly eventId: string;
  readonly body: string;
  /** What is wrong with its headers or signature; null where all is right. */
  readonly refused: string | null;
  /** Whether it was answered with 200 and `Success`. */
  readonly accepted: boolean;
}

export interface Receiver {
  /** Where webhooks are sent, through the proxy. */
  readonly url: string;
  readonly proxy: TcpProxy;
  readonly deliveries: readonly Delivery[];
  /** When the receiver last accepted a webhook, by the run's clock. */
  readonly lastAcceptedMs: () => number;
  /** From now on the receiver accepts every webhook at once. */
  behave(): void;
  stop(): Promise<void>;
}

const MAX_BODY_BYTES = 1024 * 1024;
const SLOW_MS = 1_500;

/** Starts a receiver. `keys` is called at each delivery, because the app is opened after the receiver's URL is known. */
export async function startReceiver(
  keys: () => { readonly appId: string; readonly appKey: string },
  chance: Chance,
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  let behaves = false;
  let lastAcceptedMs = 0;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await readBody(request);
    const mood = behaves ? 'well' : chance.weighted({ well: 85, error: 7, slow: 5, silent: 1, odd: 2 });
    const accepted = mood === 'well' || mood === 'slow';
    if (accepted) lastAcceptedMs = performance.now();
    const refused = checkWebhook(request.headers, bytes, keys(), Date.now() / 1000);
    const eventId = String(request.headers['x-event-id']);
    deliveries.push({ eventId, body: bytes.toString('utf8'), refused, accepted });
    if (mood === 'silent') return void response.destroy();
    if (mood === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    response.writeHead(mood === 'error' ? 500 : 200).end(mood === 'odd' ? 'OK' : 'Success');
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  const proxy = await startTcpProxy({ host: '127.0.0.1', port });
  return {
    url: `http://127.0.0.1:${proxy.port}/webhooks`,
    proxy,
    deliveries,
    lastAcceptedMs: () => lastAcceptedMs,
    behave: () => {
      behaves = true;
    },
    stop: async () => {
      await proxy.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new Error('a webhook is never that long');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
