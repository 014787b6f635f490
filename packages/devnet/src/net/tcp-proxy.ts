// A TCP proxy between two parts that fails on demand: delays, holds, resets, truncation, cuts.
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { listenLocally } from './listen-locally.ts';

/** The faults of all connections from now on. Bytes are counted for each connection, from target to client. */
export interface Trouble {
  /** Each piece of data is delayed by this long, in both directions. */
  readonly latencyMs?: number;
  /** Nothing is passed on, in either direction, until the trouble changes. A cut discards the held data. */
  readonly hold?: boolean;
  /** The client's connection is reset after this many bytes of answer. */
  readonly resetAfterBytes?: number;
  /** The client's connection is closed normally, but too early, after this many bytes of answer. */
  readonly truncateAfterBytes?: number;
  /** After this many bytes of answer, the rest is replaced by as many meaningless bytes. */
  readonly garbleAfterBytes?: number;
  /** New connections are accepted and reset at once. */
  readonly refuse?: boolean;
}

/** The place that connections are forwarded to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A running proxy on 127.0.0.1. */
export interface TcpProxy {
  readonly port: number;
  /** Replaces the trouble, also for open connections; `{}` ends it. */
  setTrouble(trouble: Trouble): void;
  /** Resets all open connections. */
  cut(): void;
  /** New connections go to this target from now on. */
  retarget(target: Target): void;
  openConnections(): number;
  /** How often trouble took effect so far: a piece of data delayed or changed, a connection refused or ended. */
  hits(): number;
  /** How many pieces of data wait for the end of a hold. */
  heldPieces(): number;
  stop(): Promise<void>;
}

/** Starts a proxy in front of a host and port. */
export async function startTcpProxy(first: Target): Promise<TcpProxy> {
  const upstreams = new Map<Socket, Socket>();
  const held = new Hold();
  let trouble: Trouble = {};
  let hits = 0;
  const hit = () => void (hits += 1);
  let target = first;
  const due = () =>
    new Promise<void>((goOn) => {
      const { latencyMs = 0, hold = false } = trouble;
      if (hold) held.keep(goOn);
      else if (latencyMs > 0) {
        hit();
        setTimeout(goOn, latencyMs);
      } else goOn();
    });
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined);
    if (trouble.refuse === true) {
      hit();
      return void client.resetAndDestroy();
    }
    const upstream = connect({ ...target, allowHalfOpen: true });
    upstreams.set(client, upstream);
    client.once('close', () => {
      upstreams.delete(client);
      upstream.destroy();
    });
    upstream.on('error', () => client.resetAndDestroy());
    relay(client, upstream, due, () => ({ limit: Infinity, garbleAt: Infinity, hit }));
    relay(upstream, client, due, () => ({ ...rulesOf(trouble), hit }));
  });
  const port = await listenLocally(server);
  const cut = () => {
    for (const [client, upstream] of upstreams) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };
  return {
    port,
    setTrouble: (next) => {
      trouble = next;
      if (next.hold !== true) held.letGo();
    },
    cut,
    retarget: (next) => {
      target = next;
    },
    openConnections: () => upstreams.size,
    hits: () => hits,
    heldPieces: () => held.pieces,
    stop: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The pieces that wait for the end of a hold, in the order of arrival. */
class Hold {
  readonly #held = new Set<() => void>();

  keep(goOn: () => void): void {
    this.#held.add(goOn);
  }

  letGo(): void {
    for (const goOn of this.#held) goOn();
    this.#held.clear();
  }

  get pieces(): number {
    return this.#held.size;
  }
}

/** The limits that answers are subject to. */
function rulesOf({ resetAfterBytes = Infinity, truncateAfterBytes = Infinity, garbleAfterBytes }: Trouble) {
  const limit = Math.min(resetAfterBytes, truncateAfterBytes);
  const atLimit: 'reset' | 'end' = resetAfterBytes <= truncateAfterBytes ? 'reset' : 'end';
  return { limit, garbleAt: garbleAfterBytes ?? Infinity, atLimit };
}

/** Passes data on, piece by piece in order, under the current rules. */
function relay(
  from: Socket,
  to: Socket,
  due: () => Promise<void>,
  rules: () => { limit: number; garbleAt: number; hit: () => void; atLimit?: 'reset' | 'end' },
): void {
  let passed = 0;
  let last = Promise.resolve();
  const inTurn = (work: () => void) => {
    const itsTurn = due();
    last = last.then(() => itsTurn).then(work);
  };
  from.on('data', (piece: Buffer) =>
    inTurn(() => {
      const { limit, atLimit, garbleAt, hit } = rules();
      const room = Math.max(0, limit - passed);
      const readable = Math.max(0, garbleAt - passed);
      if (piece.length > readable) piece.fill('~', readable);
      if (piece.length > Math.min(room, readable)) hit();
      passed += piece.length;
      if (to.destroyed) return;
      if (piece.length > room || to.writableEnded) {
        // A reader that gets the last bytes and the reset together may take them for a normal end.
        const reset = () => setTimeout(() => to.resetAndDestroy(), 10);
        if (atLimit === 'reset') to.write(piece.subarray(0, room), reset);
        else to.end(piece.subarray(0, room));
        from.destroy();
      } else to.write(piece);
    }),
  );
  from.once('end', () => inTurn(() => to.end()));
}
