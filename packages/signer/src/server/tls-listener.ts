// Listens for gateways on other machines: TLS in both directions, and the token besides, as on the local socket.
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { OperatorError } from '../operator-error.ts';

/** PEM texts. `ca` signs the certificates of clients alone: a client that has one of them may try tokens. */
export interface TlsListening {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

const handshakeTimeoutMs = 10_000;

/** `accept` gets connections whose client has shown a certificate of `ca`. Throws OperatorError 'bad-listener'. */
export function createTlsListener({ cert, key, ca }: TlsListening, accept: (socket: Socket) => void): Server {
  const options = {
    cert,
    key,
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
    handshakeTimeout: handshakeTimeoutMs,
  } as const;
  try {
    const server = createServer(options, accept);
    // A stranger's failed handshake is the stranger's affair; the connection is closed already.
    return server.on('tlsClientError', (_error, socket) => socket.destroy());
  } catch {
    // The library's message may quote a line of the key.
    throw new OperatorError(
      'bad-listener',
      'The TLS certificate, its key or the authority of clients cannot be used.',
    );
  }
}
