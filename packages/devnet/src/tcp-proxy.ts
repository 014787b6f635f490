// A TCP proxy that stands between two parts and misbehaves on demand: delays, resets, truncation, cuts.
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** What is done to connections from now on; bytes count for each connection, from target to client. */
export interface Trouble {
  /** Each piece of data waits so long, in both directions. */
  readonly latencyMs?: number;
  /** The client's connection is reset after so many bytes of answer. */
  readonly resetAfterBytes?: number;
  /** The client's connection is ended politely, but too early, after so many bytes of answer. */
  readonly truncateAfterBytes?: number;
  /** All that follows so many bytes of answer is replaced by as much that nobody can read. */
  readonly garbleAfterBytes?: number;
  /** New connections are accepted and reset at once. */
  readonly refuse?: boolean;
}

/** Where connections are passed on to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A running proxy on 127.0.0.1. */
export interface TcpProxy {
  readonly port: number;
  /** Replaces the trouble, also for connections that are open; `{}` makes it behave. */
  setTrouble(trouble: Trouble): void;
  /** Resets all open connections. */
  cut(): void;
  /** New connections go there from now on. */
  retarget(target: Target): void;
  openConnections(): number;
  stop(): Promise<void>;
}

/** Starts a proxy in front of a host and port. */
export async function startTcpProxy(first: Target): Promise<TcpProxy> {
  const clients = new Set<Socket>();
  let trouble: Trouble = {};
  let target = first;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined);
    if (trouble.refuse === true) return void client.resetAndDestroy();
    clients.add(client);
    const upstream = connect({ ...target, allowHalfOpen: true });
    client.once('close', () => {
      clients.delete(client);
      upstream.destroy();
    });
    upstream.on('error', () => client.resetAndDestroy());
    relay(client, upstream, () => ({
      latencyMs: trouble.latencyMs ?? 0,
      limit: Infinity,
      garbleAt: Infinity,
    }));
    relay(upstream, client, () => {
      const { latencyMs = 0, resetAfterBytes = Infinity, truncateAfterBytes = Infinity } = trouble;
      const limit = Math.min(resetAfterBytes, truncateAfterBytes);
      const garbleAt = trouble.garbleAfterBytes ?? Infinity;
      return { latencyMs, limit, garbleAt, atLimit: resetAfterBytes <= truncateAfterBytes ? 'reset' : 'end' };
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const cut = () => clients.forEach((client) => client.resetAndDestroy());
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    setTrouble: (next) => {
      trouble = next;
    },
    cut,
    retarget: (next) => {
      target = next;
    },
    openConnections: () => clients.size,
    stop: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Passes data on, piece by piece in order, as the rules of the moment demand. */
function relay(
  from: Socket,
  to: Socket,
  rules: () => { latencyMs: number; limit: number; garbleAt: number; atLimit?: 'reset' | 'end' },
): void {
  let passed = 0;
  let last = Promise.resolve();
  const inTurn = (work: () => void) => {
    const { latencyMs } = rules();
    const due = new Promise<void>((resolve) => (latencyMs > 0 ? setTimeout(resolve, latencyMs) : resolve()));
    last = last.then(() => due).then(work);
  };
  from.on('data', (piece: Buffer) =>
    inTurn(() => {
      const { limit, atLimit, garbleAt } = rules();
      const room = Math.max(0, limit - passed);
      const readable = Math.max(0, garbleAt - passed);
      if (piece.length > readable) piece.fill('~', readable);
      passed += piece.length;
      if (to.destroyed) return;
      if (piece.length > room || to.writableEnded) {
        // A reader that finds the last bytes and the reset together may take it for a polite end.
        const reset = () => setTimeout(() => to.resetAndDestroy(), 10);
        if (atLimit === 'reset') to.write(piece.subarray(0, room), reset);
        else to.end(piece.subarray(0, room));
        from.destroy();
      } else to.write(piece);
    }),
  );
  from.once('end', () => inTurn(() => to.end()));
}
