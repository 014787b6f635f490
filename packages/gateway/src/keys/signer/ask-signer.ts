// Sends the signer one request over its local socket or by TLS. Each request has a connection; size and time are bounded.
import { connect, isIP, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Outage } from '../../runtime/outage.ts';
import { checkSocketFolder } from './socket-folder.ts';

/** A signer on another machine, with PEM texts. `ca` has signed the signer's certificate, which has to name `host`. */
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
  /** The system user that runs the signer. Where it is left out: root or the user of this process. */
  readonly uid?: number | null;
  /** The key id of the seed that addresses come from. Where it is left out, a signer with any seed is accepted. */
  readonly keyId?: string | null;
  /** The timeout from the attempt to connect to the end of the answer. */
  readonly timeoutMs: number;
}

const maxLineBytes = 64 * 1024;
/** Refusals that stay the same until an operator changes something. */
const lastingRefusals = new Set(['bad-request', 'unauthorized', 'unknown-method', 'forbidden']);

/**
 * Returns the result of one method, after checking its key id. Throws Outage. A refusal by the protocol, such as
 * `unauthorized` or `forbidden`, is an Outage that is not retryable.
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

/** Addresses of another seed would receive payments, and the backup of our seed could not restore them. */
function checkKeyId(keyId: unknown, expected: string | null): void {
  if (typeof keyId !== 'string' || !/^[0-9a-f]{16}$/.test(keyId)) throw malformedAnswer();
  if (expected === null || keyId === expected) return;
  throw new Outage(
    `the signer holds another seed: its key id is ${keyId}, and signer.key_id says ${expected}`,
    { retryable: false },
  );
}

/** Sends one line and returns the first line of the answer. */
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

/** By TLS nothing is written before the signer's certificate is verified. */
async function open(place: string | SignerTls, uid: number | null, signal: AbortSignal): Promise<Socket> {
  if (typeof place === 'string') {
    await checkSocketFolder(place, uid);
    return connect({ path: place, signal });
  }
  const { host } = place;
  const servername = isIP(host) === 0 ? host : '';
  const socket = connectTls({ ...place, servername, minVersion: 'TLSv1.3' });
  // `tls.connect` does not support an abort signal.
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
    // Falls through: text that is no JSON is malformed, like JSON that is no object.
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
