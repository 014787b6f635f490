// All public price APIs on loopback, each under a path of its own, with answers that a test may replace.
import { createServer, type ServerResponse } from 'node:http';
import { type PriceSourceName, priceSources } from '@ducat/gateway/rates/price-sources';
import {
  binanceAnswer,
  coinbaseAnswer,
  coinbaseProducts,
  coingeckoAnswer,
  coinPrices,
  currencyApiAnswer,
  ecbAnswer,
  erApiAnswer,
  floatratesAnswer,
  krakenAnswer,
  okxAnswer,
} from './answers.ts';

export interface Reply {
  readonly status?: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives the answer of one source to a path; null leaves the request without an answer. */
export type Speech = (path: string) => Reply | null;

export interface PriceServer {
  readonly url: string;
  /** The base URL of each source. */
  readonly sources: readonly { readonly name: PriceSourceName; readonly url: string }[];
  /** The paths that were asked for, in order, with the name of the source in front. */
  readonly asked: string[];
  say(name: PriceSourceName, speech: Speech): void;
  close(): Promise<void>;
}

/** Every source healthy, with prices of the second that `now` gives. */
export function healthySpeech(now: () => number): Readonly<Record<PriceSourceName, Speech>> {
  return {
    coingecko: () => ({ body: coingeckoAnswer(now()) }),
    binance: () => ({ body: binanceAnswer(now()) }),
    kraken: () => ({ body: krakenAnswer(), headers: { date: new Date(now() * 1000).toUTCString() } }),
    coinbase: (path) => coinbaseReply(path, now()),
    okx: () => ({ body: okxAnswer(now()) }),
    ecb: () => ({ body: ecbAnswer(now()) }),
    er_api: () => ({ body: erApiAnswer(now() - 3_600) }),
    currency_api: () => ({ body: currencyApiAnswer(now()) }),
    floatrates: () => ({ body: floatratesAnswer(now() - 3_600) }),
  };
}

function coinbaseReply(path: string, at: number): Reply {
  if (path === '/products') return { body: coinbaseProducts() };
  const symbol = /^\/products\/(\w+)-USD\/ticker$/.exec(path)?.[1] ?? '';
  const price = coinPrices[symbol];
  if (price === undefined) return { status: 404, body: '{"message":"NotFound"}' };
  return { body: coinbaseAnswer(at, price) };
}

/** Starts the server on a free port. `now` gives the Unix time of the prices. */
export async function startPriceServer(now: () => number): Promise<PriceServer> {
  const speeches: Record<string, Speech> = { ...healthySpeech(now) };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path.slice(1));
    const [, name = ''] = path.split('/');
    const reply = speeches[name]?.(path.slice(name.length + 1)) ?? null;
    if (reply !== null) send(response, reply);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  // The keys of the record are the names, but the type of Object.keys does not say so.
  const names = Object.keys(priceSources) as PriceSourceName[];
  return {
    url,
    sources: names.map((name) => ({ name, url: `${url}/${name}` })),
    asked,
    say: (name, speech) => {
      speeches[name] = speech;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
