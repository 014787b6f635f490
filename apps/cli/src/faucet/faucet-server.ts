// The demo's faucet, on this machine alone: sends coins of local chains, opens demo orders, lends the demo app to the docs.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppKind } from '@ducat/gateway/db/tables/apps';
import { readBody } from '../webhooks/read-body.ts';
import { createFaucet, type Faucet, type FaucetDeps } from './faucet.ts';
import {
  type OrderRequest,
  readAppKind,
  readFaucetRequest,
  readOrderRequest,
  USAGE,
} from './faucet-request.ts';

const MAX_BODY_BYTES = 4_096;

export interface FaucetServer extends FaucetDeps {
  readonly port: number;
  /** The origin of the payment pages, whose scripts may call the faucet. Other sites may not, except the two below. */
  readonly pagesOrigin: string;
  /** The origin of the dashboard, which has the first payment of a set-up paid by the faucet. */
  readonly dashboardOrigin: string;
  /** The origin of the docs site, which is lent the demo's app. No other page in a browser is. */
  readonly docsOrigin: string;
  readonly access: Readonly<Record<AppKind, { readonly appId: string; readonly appKey: string }>>;
  /** Opens a demo order and returns the address of its page. */
  openOrder(request: OrderRequest): Promise<string>;
}

export interface RunningFaucet {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves on loopback. Takes a JSON body and answers {"txid"}, {"entrust_url"} or {"error"}. */
export async function openFaucet(options: FaucetServer): Promise<RunningFaucet> {
  const faucet = createFaucet(options);
  const server = createServer((request, response) => {
    const origins = [options.pagesOrigin, options.dashboardOrigin, options.docsOrigin];
    const origin = origins.find((known) => known === request.headers.origin);
    if (origin !== undefined && request.method === 'OPTIONS') return permit(response, origin);
    answer(request, faucet, options)
      .catch((error: unknown) => ({ error: error instanceof Error ? error.message : 'not sent' }))
      .then((result) => {
        const status = 'error' in result ? 400 : 200;
        const headers = {
          'content-type': 'application/json',
          // The rest of an unread body must not be read as the next request.
          connection: 'close',
          ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
        };
        response.writeHead(status, headers).end(`${JSON.stringify(result)}\n`);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    // A TCP server has an address with a port, never a pipe's name.
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Answer =
  | { readonly txid: string }
  | { readonly entrust_url: string }
  | { readonly app_id: string; readonly app_key: string }
  | { readonly error: string };

async function answer(request: IncomingMessage, faucet: Faucet, options: FaucetServer): Promise<Answer> {
  // A page cannot send this content type to another origin before the browser has asked for permission.
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  if (request.method !== 'POST' || !isJson) return { error: USAGE };
  const body = await readBody(request, MAX_BODY_BYTES);
  const value: unknown = body === undefined ? undefined : JSON.parse(body.toString('utf8'));
  if (request.url === '/access') return lend(request, readAppKind(value), options);
  if (request.url === '/orders') return { entrust_url: await options.openOrder(readOrderRequest(value)) };
  return { txid: await faucet(readFaucetRequest(value, options.chains)) };
}

/**
 * Lends the demo's app to the docs site alone. A page of another site that resolves its name to this address still
 * sends its own origin.
 */
function lend({ headers }: IncomingMessage, kind: AppKind, { docsOrigin, access }: FaucetServer): Answer {
  if (headers.origin !== docsOrigin) return { error: 'only the docs of this demo are lent its app' };
  return { app_id: access[kind].appId, app_key: access[kind].appKey };
}

/** Answers the question that a browser asks before a script of another origin may send JSON. */
function permit(response: ServerResponse, origin: string): void {
  const headers = {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    vary: 'origin',
  };
  response.writeHead(204, headers).end();
}
