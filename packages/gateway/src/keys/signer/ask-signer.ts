// Asks the signer one question over its local socket or by TLS: one connection per question, everything bounded and checked.
import { connect, isIP, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Outage } from '../../runtime/outage.ts';
import { checkSocketFolder } from './socket-folder.ts';

/** A signer on another machine. PEM texts; `ca` signs its certificate, which has to name `host`. */
export interface SignerTls {
  readonly host: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface SignerSocketOptions {
  /** A Unix socket path, a named pipe on Windows, or another machine. */
  readonly socketPath: string | SignerTls;
  /** Our name and token in the signer's clients file. */
  readonly client: string;
  readonly token: string;
  /** The system user that runs the signer; without it, root or the user that runs us. */
  readonly uid?: number | null;
  /** The key id of the seed that addresses come from; without it, any is believed. */
  readonly keyId?: string | null;
  /** From the attempt to connect to the whole answer. */
  readonly timeoutMs: number;
}

const maxLineBytes = 64 * 1024;
/** Refusals that stay the same until an operator changes something. */
const lastingRefusals = new Set(['bad-request', 'unauthorized', 'unknown-method', 'forbidden']);

/**
 * The result of one method, its key id checked. Throws Outage; a refusal of the protocol (unauthorized, forbidden) is one
 * that asking again does not help.
 */
export async function askSigner(
  options: SignerSocketOptions,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  // The id only ties an answer to its question on this one connection, so it can be fixed.
  const id = '1';
  const { client, token } = options;
  const line = await exchange(options, `${JSON.stringify({ id, client, token, method, params })}\n`);
  const answer = parseObject(line);
  if (isObject(answer['error'])) throw refusalOf(method, answer['error']['code']);
  const result = answer['result'];
  if (answer['id'] !== id || !isObject(result)) throw malformedAnswer();
  checkKeyId(result['keyId'], options.keyId ?? null);
  return result;
}

/** Addresses of another seed would be paid to and never be found in the backup. */
function checkKeyId(keyId: unknown, expected: string | null): void {
  if (typeof keyId !== 'string' || !/^[0-9a-f]{16}$/.test(keyId)) throw malformedAnswer();
  if (expected === null || keyId === expected) return;
  throw new Outage(
    `the signer holds another seed: its key id is ${keyId}, and signer.key_id says ${expected}`,
    { retryable: false },
  );
}

/** Sends one line and gives the first line that comes back. */
async function exchange(options: SignerSocketOptions, request: string): Promise<string> {
  const { socketPath, uid = null, timeoutMs } = options;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const socket = await open(socketPath, uid, signal);
    try {
      socket.write(request);
      return await readLine(socket);
    } finally {
      socket.destroy();
    }
  } catch (error) {
    if (error instanceof Outage) throw error;
    throw new Outage(`the signer at ${placeText(socketPath)} cannot be reached or did not answer in time`, {
      retryable: true,
      cause: error,
    });
  }
}

/** By TLS the library writes nothing before the signer's certificate is proven. */
async function open(place: string | SignerTls, uid: number | null, signal: AbortSignal): Promise<Socket> {
  if (typeof place === 'string') {
    await checkSocketFolder(place, uid);
    return connect({ path: place, signal });
  }
  const { host } = place;
  const servername = isIP(host) === 0 ? host : '';
  const socket = connectTls({ ...place, servername, minVersion: 'TLSv1.3' });
  // `tls.connect` knows no signal.
  addAbortSignal(signal, socket);
  return socket;
}

async function readLine(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of socket) {
    if (!Buffer.isBuffer(chunk)) throw malformedAnswer();
    const end = chunk.indexOf(0x0a);
    parts.push(end === -1 ? chunk : chunk.subarray(0, end));
    bytes += chunk.length;
    if (bytes > maxLineBytes) throw malformedAnswer();
    if (end !== -1) return Buffer.concat(parts).toString('utf8');
  }
  throw new Outage('the signer closed the connection without an answer', { retryable: true });
}

function placeText(place: string | SignerTls): string {
  return typeof place === 'string' ? place : `${place.host}:${place.port}`;
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Falls through: text that is not JSON is as malformed as JSON that is not an object.
  }
  throw malformedAnswer();
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusalOf(method: string, code: unknown): Outage {
  const known = typeof code === 'string' && /^[a-z-]{1,32}$/.test(code) ? code : 'unknown reason';
  return new Outage(`the signer refused ${method}: ${known}`, { retryable: !lastingRefusals.has(known) });
}

export function malformedAnswer(): Outage {
  return new Outage('the signer gave an answer that breaks its protocol', { retryable: false });
}
