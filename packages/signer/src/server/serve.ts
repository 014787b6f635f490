// The server: listens on the local socket, and by TLS where configured, and wipes the seed when it stops.
import { createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { AnswerContext } from './answer.ts';
import { attend } from './connection.ts';
import { errorCode } from '../error-code.ts';
import type { Log } from '../log.ts';
import { OperatorError } from '../operator-error.ts';
import type { Permissions } from '../permissions.ts';
import type { IntentSigner } from '../signing/intent-signer.ts';
import { ownerOnly, type SocketAccess } from './socket-access.ts';
import { grantSocket, prepareSocketPlace } from './socket-place.ts';
import { createTlsListener, type TlsListening } from './tls-listener.ts';

export interface ServeOptions {
  /** A Unix socket path in a folder of its own, or a named pipe on Windows. */
  readonly socketPath: string;
  /** Default: our own user alone. */
  readonly access?: SocketAccess;
  /** 64 bytes. The server owns it from here on and fills it with zeros on `close`. */
  readonly seed: Uint8Array;
  readonly keyId: string;
  readonly permissions: Permissions;
  /** Null where the signer gives out public keys alone. The caller closes it. */
  readonly signing: IntentSigner | null;
  readonly log: Log;
  /** Where gateways on other machines may connect as well; null or absent for nowhere. */
  readonly tls?: TlsListening | null;
  /** Connections at one time, of each listener; more are closed at once. Default 32. */
  readonly maxConnections?: number;
  /** A connection that completes no request for this long is closed. Default 60,000. */
  readonly idleTimeoutMs?: number;
}

export interface RunningSigner {
  /** The port for other machines; null where there is none. */
  readonly tlsPort: number | null;
  /** Stops listening, ends every connection, wipes the seed. */
  close(): Promise<void>;
}

/** How long a peer may take to read its last answer when the signer stops. */
const lastWordsMs = 1000;

/** Resolves once the socket takes requests. Throws OperatorError 'socket-path', 'socket-group' or 'socket-busy'. */
export async function serve(options: ServeOptions): Promise<RunningSigner> {
  const access = options.access ?? ownerOnly;
  await prepareSocketPlace(options.socketPath, access);
  const context: AnswerContext = { ...options, nowMs: () => performance.now() };
  const open = new Set<Socket>();
  const accept = (socket: Socket): void => {
    // A peer that vanishes raises an error here; the loop in `attend` ends by itself.
    socket.on('error', () => undefined);
    void attend(socket, context, options.idleTimeoutMs ?? 60_000);
  };
  const tls = options.tls ? createTlsListener(options.tls, accept) : null;
  const local = createServer(accept);
  const servers = tls === null ? [local] : [local, tls];
  for (const server of servers) bound(server, open, options);
  await listen(local, { path: options.socketPath });
  await grantSocket(options.socketPath, access);
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => stop(server, open)));
    options.seed.fill(0);
  };
  try {
    if (tls !== null && options.tls) await listen(tls, { host: options.tls.host, port: options.tls.port });
  } catch (error) {
    await close();
    throw error;
  }
  const address = tls?.address() ?? null;
  return { tlsPort: typeof address === 'object' ? (address?.port ?? null) : null, close };
}

/** Limits and tracks the server's connections, including those in the middle of a handshake. */
function bound(server: Server, open: Set<Socket>, { maxConnections, log }: ServeOptions): void {
  server.maxConnections = maxConnections ?? 32;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('drop', () => log({ event: 'connection-refused', outcome: 'too-many' }));
}

function listen(server: Server, place: { path: string } | { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const text = 'path' in place ? place.path : `${place.host}:${place.port}`;
      const busy = errorCode(error) === 'EADDRINUSE';
      reject(busy ? new OperatorError('socket-busy', `A signer is already running at ${text}.`) : error);
    });
    server.listen(place, resolve);
  });
}

function stop(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      for (const socket of open) socket.destroy();
    }, lastWordsMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    for (const socket of open) socket.destroySoon();
  });
}
