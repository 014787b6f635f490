// Signs a generated request, sends it on a kept connection and reads what comes back.
import { createHmac } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import type { Head } from './head-faults.ts';
import type { Operation } from './operation.ts';
import type { FuzzRequest } from './request.ts';

/** The gateway's address and the apps that sign. */
export interface Target {
  readonly apiUrl: string;
  /** Calls all operations but those for QR code apps. */
  readonly app: SigningApp;
  readonly qrApp: SigningApp;
}

export interface SigningApp {
  readonly appId: string;
  readonly appKey: string;
}

/** The app that calls an operation. */
export function callerOf({ app, qrApp }: Target, { needsQrApp }: Pick<Operation, 'needsQrApp'>): SigningApp {
  return needsQrApp ? qrApp : app;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** An answer that takes longer counts as none. */
const TIMEOUT_MS = 30_000;

export interface Line {
  send(request: FuzzRequest): Promise<Answer>;
  close(): void;
}

/** Opens `connections` lines to the target. */
export function openLine(target: Target, connections: number): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: (request) => send(agent, target, headOf(target, request), request.body.bytes),
    close: () => agent.destroy(),
  };
}

/** The contract's formula for signatures, without code of the gateway. */
export function signatureOf(body: Uint8Array, timestamp: string, appKey: string): string {
  return createHmac('sha256', appKey).update(body).update(`${timestamp}${appKey}`).digest('hex');
}

function headOf(target: Target, { operation, body, fault }: FuzzRequest): Head {
  const { appId, appKey } = callerOf(target, operation);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const head: Head = {
    method: 'POST',
    path: operation.path,
    headers: [
      ['X-Appid', appId],
      ['X-Timestamp', timestamp],
      ['X-Sign', signatureOf(body.bytes, timestamp, appKey)],
      ['Content-Type', 'application/json'],
    ],
  };
  return fault === null ? head : fault.change(head);
}

function send(agent: Agent, { apiUrl }: Target, head: Head, body: Uint8Array): Promise<Answer> {
  const { hostname, port } = new URL(apiUrl);
  const fixed = ['Host', `${hostname}:${port}`, 'Content-Length', String(body.length)];
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        hostname,
        port,
        method: head.method,
        path: head.path,
        headers: [...head.headers.flat(), ...fixed],
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('timeout', () => request.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    request.on('error', reject);
    request.end(body);
  });
}
