// The HTTP server: takes GET and POST for every call, and answers errors the way java-tron does, with status 200.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { describeError, HttpAnswer } from './errors.ts';
import { readJson, writeJson } from './json/json-text.ts';
import { asObject } from './json/parse-message.ts';
import type { Params } from './read-request.ts';

/** The parameters of a request. */
export interface Asked {
  /** The parameters of the URL alone. */
  readonly query: Params;
  /** The parameters of URL and body; those of the body take precedence. Throws where the body is no JSON. */
  readonly all: () => Params;
}

/** The JSON answer for a path, or null where the path has no call. */
export type Dispatch = (path: string, asked: Asked) => Promise<{ readonly json: unknown } | null>;

/** CORS headers, because browsers ask for permission before a wallet's script may send. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
};

const mostBodyBytes = 4 * 1024 * 1024;

/** Listens on the port (0 for a free one). Returns the server and its port. */
export async function listen(
  dispatch: Dispatch,
  host: string,
  port: number,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    void answer(dispatch, request, response);
  });
  // As java-tron keeps a free connection.
  server.keepAliveTimeout = 30_000;
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
    // Java's servlet container answers 405 to a POST at a path without a servlet.
    if (found === null) throw new HttpAnswer(request.method === 'POST' ? 405 : 404, 'Not Found');
    respond(response, 200, writeJson(found.json));
  } catch (error) {
    if (error instanceof HttpAnswer) respond(response, error.status, writeJson({ Error: error.message }));
    else respond(response, 200, writeJson({ Error: describeError(error) }));
  }
}

/** Parameters that are heights or counts of blocks in every call that has them. */
const heights: ReadonlySet<string> = new Set(['num', 'startNum', 'endNum']);

/** All parameters of a URL are text. Heights become integers, as in a body. */
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
    // A request without an encoding yields its body as buffers.
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
