// A minimal JSON-RPC call over HTTP, for tests and the dev chains.
import { postJson } from './post-json.ts';

/** The node understood the call and refused it. */
export class RpcRefusal extends Error {
  readonly code: number;
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message}`);
    this.name = 'RpcRefusal';
    this.code = code;
  }
}

let lastId = 0;

/**
 * Calls one method and returns its `result`, whose shape the caller has to check. Throws
 * RpcRefusal for an error answer and a plain Error when there is no answer within `timeoutMs`.
 */
export async function callRpc(
  rpcUrl: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = 60_000,
): Promise<unknown> {
  lastId += 1;
  const call = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
  return resultOf(method, JSON.parse(await postJson(rpcUrl, call, timeoutMs)));
}

/** Calls a method once for each of `params`, in one request. The results have the order of `params`. */
export async function callRpcBatch(
  rpcUrl: string,
  method: string,
  params: readonly (readonly unknown[])[],
): Promise<readonly unknown[]> {
  if (params.length === 0) return [];
  const calls = params.map((each, id) => ({ jsonrpc: '2.0', id, method, params: each }));
  const answers: unknown = JSON.parse(await postJson(rpcUrl, JSON.stringify(calls), BATCH_TIMEOUT_MS));
  if (!Array.isArray(answers)) throw new Error(`${method}: the answer to a batch is not a list`);
  const byId = new Map(answers.map((answer: unknown) => [idOf(answer), answer]));
  return params.map((_, id) => resultOf(method, byId.get(id)));
}

const BATCH_TIMEOUT_MS = 60_000;

function idOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined;
}

function resultOf(method: string, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null)
    throw new Error(`${method}: the answer is not an object`);
  if ('error' in answer) {
    const { code, message } = readError(answer.error);
    throw new RpcRefusal(method, code, message);
  }
  if (!('result' in answer)) throw new Error(`${method}: the answer has no result`);
  return answer.result;
}

/** Calls a method whose result is a hexadecimal string. */
export async function callRpcHex(
  rpcUrl: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<`0x${string}`> {
  return asHex(await callRpc(rpcUrl, method, params), method);
}

/** Number, hash and time (seconds) of a block by tag or number; undefined when the node has no such block. */
export async function fetchHeader(
  rpcUrl: string,
  block: 'latest' | 'finalized' | 'safe' | 'earliest' | number,
): Promise<{ number: number; hash: `0x${string}`; timestamp: number } | undefined> {
  const tag = typeof block === 'number' ? `0x${block.toString(16)}` : block;
  const header = await callRpc(rpcUrl, 'eth_getBlockByNumber', [tag, false]);
  if (header === null) return undefined;
  if (typeof header !== 'object' || !('number' in header && 'hash' in header && 'timestamp' in header)) {
    throw new Error('eth_getBlockByNumber: not a block');
  }
  return {
    number: Number(asHex(header.number, 'block number')),
    hash: asHex(header.hash, 'block hash'),
    timestamp: Number(asHex(header.timestamp, 'block timestamp')),
  };
}

/** Checks that a value is a 0x-prefixed hexadecimal string. */
export function asHex(value: unknown, what: string): `0x${string}` {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) return `0x${value.slice(2)}`;
  throw new Error(`${what}: expected hexadecimal text`);
}

function readError(error: unknown): { code: number; message: string } {
  if (typeof error !== 'object' || error === null) return { code: 0, message: 'unreadable error' };
  const code = 'code' in error && typeof error.code === 'number' ? error.code : 0;
  const message = 'message' in error && typeof error.message === 'string' ? error.message : 'no message';
  return { code, message };
}
