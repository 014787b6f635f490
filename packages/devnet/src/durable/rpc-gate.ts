// The JSON-RPC server of a durable chain: passes reads to the node, journals transactions, and refuses the rest.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { ChainEngine } from './chain-engine.ts';
import { asHex, RpcRefusal } from '../evm/json-rpc.ts';
import { postJson } from '../evm/post-json.ts';

const maxBodyBytes = 5 * 1024 * 1024;
const maxBatch = 1_000;
/** As long as fetch waits for an answer, because a trace of many blocks takes its time. */
const FORWARD_TIMEOUT_MS = 300_000;
/** How long a free connection is kept, as geth keeps it. */
const keptMs = 120_000;

/** Starts the server on 127.0.0.1; port 0 means any free port. */
export function openRpcGate(engine: ChainEngine, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    answer(engine, request, response).catch(() => {
      // The peer is gone or sent an unreadable request. It expects no answer.
      response.destroy();
    });
  });
  server.keepAliveTimeout = keptMs;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/**
 * True for methods that change nothing. Methods that would change the chain without the journal must not pass: above
 * all the control methods of the dev node, and transactions that the node signs.
 */
export function isReadMethod(method: string): boolean {
  if (/^eth_(send|sign|submit|subscribe|unsubscribe)/.test(method)) return false;
  return /^(eth_|net_|web3_|txpool_|debug_trace|trace_)/.test(method);
}

async function answer(
  engine: ChainEngine,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return send(response, 405, failure(null, -32600, 'JSON-RPC needs POST'));
  const body = await readBody(request);
  if (body === undefined)
    return send(response, 413, failure(null, -32600, `more than ${maxBodyBytes} bytes`));
  let call: unknown;
  try {
    call = JSON.parse(body);
  } catch {
    return send(response, 200, failure(null, -32700, 'not JSON'));
  }
  if (!Array.isArray(call)) return send(response, 200, await answerOne(engine, call));
  if (call.length === 0 || call.length > maxBatch) {
    return send(response, 200, failure(null, -32600, `a batch holds 1 to ${maxBatch} calls`));
  }
  if (call.every((item: unknown) => isReadMethod(methodOf(item))))
    return send(response, 200, await forward(engine, call));
  const answers: unknown[] = [];
  // One after the other, because the order of transactions in a batch is their order in the journal.
  for (const item of call) answers.push(JSON.parse(await answerOne(engine, item)));
  return send(response, 200, JSON.stringify(answers));
}

async function answerOne(engine: ChainEngine, call: unknown): Promise<string> {
  const method = methodOf(call);
  const id = typeof call === 'object' && call !== null && 'id' in call ? call.id : null;
  if (method === 'eth_sendRawTransaction') return submit(engine, id, call);
  if (isReadMethod(method)) return forward(engine, call);
  return failure(id, -32601, `this chain does not offer the method ${method.slice(0, 100)}`);
}

async function submit(engine: ChainEngine, id: unknown, call: unknown): Promise<string> {
  let raw: `0x${string}`;
  try {
    const params = typeof call === 'object' && call !== null && 'params' in call ? call.params : [];
    raw = asHex(Array.isArray(params) ? params[0] : undefined, 'raw transaction');
  } catch {
    return failure(id, -32602, 'the first parameter must be the signed transaction in hexadecimal');
  }
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, result: await engine.submit(raw) });
  } catch (error) {
    if (error instanceof RpcRefusal) return failure(id, error.code, error.message.replace(/^\w+: /, ''));
    return failure(id, -32000, 'the dev chain is restarting; whether it took the transaction is not known');
  }
}

/** Sends the parsed call and not the original text, so that the node cannot read it in another way. */
async function forward(engine: ChainEngine, call: unknown): Promise<string> {
  const url = engine.nodeUrl();
  const id = typeof call === 'object' && call !== null && 'id' in call ? call.id : null;
  if (url === undefined) return failure(id, -32000, 'the dev chain is restarting');
  try {
    return await postJson(url, JSON.stringify(call), FORWARD_TIMEOUT_MS);
  } catch {
    return failure(id, -32000, 'the dev chain did not answer');
  }
}

function methodOf(call: unknown): string {
  return typeof call === 'object' && call !== null && 'method' in call && typeof call.method === 'string'
    ? call.method
    : '';
}

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

function send(response: ServerResponse, status: number, body: string): void {
  // A server that does not read the rest of a body must not keep the connection either.
  const headers = { 'content-type': 'application/json', ...(status === 413 ? { connection: 'close' } : {}) };
  response.writeHead(status, headers).end(body);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new Error('a request body comes in buffers');
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
