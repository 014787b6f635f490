// A TCP proxy that stands between two parts and misbehaves on demand: delays, holding back, resets, truncation, cuts.
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { listenLocally } from './listen-locally.ts';

/** What is done to connections from now on; bytes count for each connection, from target to client. */
export interface Trouble {
  /** Each piece of data waits so long, in both directions. */
  readonly latencyMs?: number;
  /** Nothing is passed on, in either direction, until there is other trouble; a cut throws away what was held. */
  readonly hold?: boolean;
  /** The client's connection is reset after so many bytes of answer. */
  readonly resetAfterBytes?: number;
  /** The client's connection is ended politely, but too early, after so many bytes of answer. */
  readonly truncateAfterBytes?: number;
  /** All that follows so many bytes of answer is replaced by as many bytes without meaning. */
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
  /** How often trouble has done something so far: a piece of data delayed or spoilt, a connection refused or ended. */
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

/** What waits until it may go on, in the order in which it came. */
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

/** What answers have to pass. */
function rulesOf({ resetAfterBytes = Infinity, truncateAfterBytes = Infinity, garbleAfterBytes }: Trouble) {
  const limit = Math.min(resetAfterBytes, truncateAfterBytes);
  const atLimit: 'reset' | 'end' = resetAfterBytes <= truncateAfterBytes ? 'reset' : 'end';
  return { limit, garbleAt: garbleAfterBytes ?? Infinity, atLimit };
}

/** Passes data on, piece by piece in order, as the rules of the moment demand. */
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
