// A merchant's webhook endpoint on loopback: keeps requests byte by byte, and answers as a test asks.
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it was received. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body, which is UTF-8. */
  readonly body: string;
  /** The status it was answered with. */
  readonly answered: number;
}

export interface WebhookReceiver {
  /** Without a slash at the end; each shop listens at a path of its own. */
  readonly url: string;
  /** The requests to a path, first to last. */
  received(path: string): readonly ReceivedWebhook[];
  /** The next requests to this path are answered with these statuses, in order; then with 200 and `Success`. */
  failNext(path: string, ...statuses: readonly number[]): void;
  stop(): Promise<void>;
}

/** Starts it on any free port of 127.0.0.1. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const webhooks: ReceivedWebhook[] = [];
  const failures = new Map<string, number[]>();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { url: path = '', method = '', headers } = request;
      const answered = failures.get(path)?.shift() ?? 200;
      webhooks.push({ path, method, headers, body, answered });
      response.writeHead(answered, { 'content-type': 'text/plain' });
      response.end(answered === 200 ? 'Success' : 'not now');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received: (path) => webhooks.filter((webhook) => webhook.path === path),
    failNext: (path, ...statuses) => void failures.set(path, [...statuses]),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
