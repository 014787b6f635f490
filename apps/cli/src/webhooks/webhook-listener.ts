// A minimal shop server: receives webhooks, verifies each, and answers Success.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { verifyWebhook, type WebhookEvent } from '@ducat/sdk/webhooks';
import { CommandError } from '../command-error.ts';
import { readBody } from './read-body.ts';

/** A verified webhook, and further data of its request. */
export interface ReceivedWebhook {
  readonly event: WebhookEvent;
  readonly timestamp: string;
  /** Whether this listener has received this event before. */
  readonly repeated: boolean;
  /** The request as received: its headers, one per line, and the bytes of its body. */
  readonly headers: string;
  readonly body: Buffer;
}

export interface ListenerOptions {
  readonly port: number;
  /** The path that is answered; others get 404. */
  readonly path: string;
  readonly appId: string;
  readonly appKey: string;
  /** Called before the answer. When it throws, the gateway retries the event later. */
  readonly onReceived: (received: ReceivedWebhook) => void;
  readonly onRefused: (reason: string) => void;
}

/** How many events are remembered as received. */
const MAX_REMEMBERED = 10_000;
const MAX_BODY_BYTES = 65_536;

/** Listens on loopback. Throws a CommandError where the port is taken. */
export async function listenForWebhooks(options: ListenerOptions): Promise<Server> {
  const receivedKeys = new Set<string>();
  const server = createServer((request, response) => {
    // A request that is cut off can have no answer; the gateway retries it.
    answer(options, receivedKeys, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new CommandError(`cannot listen on port ${options.port}; is another ducat listen running?`, {
          cause,
        }),
      ),
    );
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return server;
}

async function answer(
  options: ListenerOptions,
  receivedKeys: Set<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const say = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
  if (request.url !== options.path || request.method !== 'POST') {
    say(404, `webhooks come as POST to ${options.path}`);
    return;
  }
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === undefined) {
    say(413, 'body too large');
    return;
  }
  try {
    const { appId, appKey } = options;
    const event = verifyWebhook({ appId, appKey, headers: request.headers, rawBody: body });
    const repeated = receivedKeys.has(event.key);
    if (receivedKeys.size < MAX_REMEMBERED) receivedKeys.add(event.key);
    const timestamp = String(request.headers['x-timestamp'] ?? '');
    options.onReceived({ event, timestamp, repeated, headers: headerLines(request), body });
    say(200, 'Success');
  } catch (error) {
    options.onRefused(error instanceof Error ? error.message : String(error));
    say(400, 'refused');
  }
}

function headerLines({ rawHeaders }: IncomingMessage): string {
  let lines = '';
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    lines += `${rawHeaders[place] ?? ''}: ${rawHeaders[place + 1] ?? ''}\n`;
  }
  return lines;
}
