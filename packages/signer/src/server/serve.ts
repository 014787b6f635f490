// The server: listens on the local socket with bounded connections and wipes the seed when it stops.
import { createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { AnswerContext } from './answer.ts';
import { attend } from './connection.ts';
import { errorCode } from '../error-code.ts';
import type { Log } from '../log.ts';
import { OperatorError } from '../operator-error.ts';
import type { Permissions } from '../permissions.ts';
import { ownerOnly, type SocketAccess } from './socket-access.ts';
import { grantSocket, prepareSocketPlace } from './socket-place.ts';

export interface ServeOptions {
  /** A Unix socket path in a folder of its own, or a named pipe on Windows. */
  readonly socketPath: string;
  /** Default: our own user alone. */
  readonly access?: SocketAccess;
  /** 64 bytes. The server owns it from here on and fills it with zeros on `close`. */
  readonly seed: Uint8Array;
  readonly keyId: string;
  readonly permissions: Permissions;
  readonly log: Log;
  /** Connections at one time; more are closed at once. Default 32. */
  readonly maxConnections?: number;
  /** A connection that completes no request for this long is closed. Default 60,000. */
  readonly idleTimeoutMs?: number;
}

export interface RunningSigner {
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
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // A peer that vanishes raises an error here; the loop in `attend` ends by itself.
    socket.on('error', () => undefined);
    void attend(socket, context, options.idleTimeoutMs ?? 60_000);
  });
  server.maxConnections = options.maxConnections ?? 32;
  server.on('drop', () => options.log({ event: 'connection-refused', outcome: 'too-many' }));
  await listen(server, options.socketPath);
  await grantSocket(options.socketPath, access);
  return {
    close: async () => {
      await stop(server, open);
      options.seed.fill(0);
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const busy = errorCode(error) === 'EADDRINUSE';
      reject(busy ? new OperatorError('socket-busy', `A signer is already running at ${path}.`) : error);
    });
    server.listen(path, resolve);
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
