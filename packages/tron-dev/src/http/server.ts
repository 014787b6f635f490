// The HTTP server: takes GET and POST for every call, and answers errors the way java-tron does, with status 200.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { describeError, HttpAnswer } from './errors.ts';
import { readJson, writeJson } from './json/json-text.ts';
import { asObject } from './json/parse-message.ts';
import type { Params } from './read-request.ts';

/** What came with a request. */
export interface Asked {
  /** Of the address alone. */
  readonly query: Params;
  /** With the body, whose entries win; throws where the body is no JSON. */
  readonly all: () => Params;
}

/** Gives the JSON answer for a path, or null where nothing lives there. */
export type Dispatch = (path: string, asked: Asked) => Promise<{ readonly json: unknown } | null>;

/** Wallets in browsers ask before they send. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
};

const mostBodyBytes = 4 * 1024 * 1024;

/** Listens on the port (0 for a free one) and gives the server with the port it has. */
export async function listen(
  dispatch: Dispatch,
  host: string,
  port: number,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    void answer(dispatch, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { server, port: address.port };
}

async function answer(dispatch: Dispatch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, corsHeaders).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://localhost');
    const query = paramsOf(url.searchParams);
    const body = await bodyOf(request);
    const all = () => (body === '' ? query : { ...query, ...asObject(readJson(body)) });
    const found = await dispatch(url.pathname, { query, all });
    // Java's servlet container knows no POST at a path without a servlet.
    if (found === null) throw new HttpAnswer(request.method === 'POST' ? 405 : 404, 'Not Found');
    respond(response, 200, writeJson(found.json));
  } catch (error) {
    if (error instanceof HttpAnswer) respond(response, error.status, writeJson({ Error: error.message }));
    else respond(response, 200, writeJson({ Error: describeError(error) }));
  }
}

/** Parameters that are heights or counts of blocks in every call that has them. */
const heights: ReadonlySet<string> = new Set(['num', 'startNum', 'endNum']);

/** Everything in an address is text; heights become integers, as a body has them. */
function paramsOf(search: URLSearchParams): Params {
  const entries = [...search].map(([name, text]) => [
    name,
    heights.has(name) && /^-?\d+$/.test(text) ? BigInt(text) : text,
  ]);
  return Object.fromEntries(entries);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    // Without an encoding set, a request gives its body as buffers.
    const data = chunk as Uint8Array;
    bytes += data.length;
    if (bytes > mostBodyBytes) throw new HttpAnswer(413, 'body too large');
    chunks.push(data);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

function respond(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', ...corsHeaders });
  response.end(body);
}
