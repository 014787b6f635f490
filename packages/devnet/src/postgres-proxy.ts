// A TCP proxy before PostgreSQL that knows one thing of its protocol: when a client says COMMIT, and can cut there.
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/**
 * Where a connection is cut. `before`: the server never hears of the COMMIT. `after`: it has done it, and its answer is
 * thrown away. The client cannot tell the two apart.
 */
export type CommitCut = 'before' | 'after';

/** A running proxy on 127.0.0.1. */
export interface PostgresProxy {
  readonly port: number;
  /** Cuts the next so many connections at their COMMIT, in place of whatever was still to cut. */
  cutCommits(where: CommitCut, count: number): void;
  /** How many were cut so far, at either place. */
  cutSoFar(): Readonly<Record<CommitCut, number>>;
  /** New connections go there from now on. */
  retarget(port: number): void;
  /** Resets all open connections. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a proxy in front of a server on 127.0.0.1. */
export async function startPostgresProxy(targetPort: number): Promise<PostgresProxy> {
  const clients = new Set<Socket>();
  const cuts = { before: 0, after: 0 };
  let target = targetPort;
  let order: { readonly where: CommitCut; left: number } = { where: 'before', left: 0 };
  const takeOrder = (): CommitCut | null => {
    if (order.left === 0) return null;
    order.left -= 1;
    cuts[order.where] += 1;
    return order.where;
  };
  const server = createServer((client) => {
    clients.add(client);
    const upstream = connect({ host: '127.0.0.1', port: target });
    relay(client, upstream, takeOrder);
    client.once('close', () => clients.delete(client));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const cut = () => clients.forEach((client) => client.resetAndDestroy());
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cutCommits: (where, count) => {
      order = { where, left: count };
    },
    cutSoFar: () => ({ ...cuts }),
    retarget: (port) => {
      target = port;
    },
    cut,
    stop: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function relay(client: Socket, upstream: Socket, takeOrder: () => CommitCut | null): void {
  const messages = new ClientMessages();
  let answerIsLost = false;
  const end = () => {
    client.resetAndDestroy();
    upstream.destroy();
  };
  client.on('error', () => upstream.destroy());
  upstream.on('error', end);
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => (answerIsLost ? end() : client.end()));
  client.on('data', (piece: Buffer) => {
    for (const message of messages.push(piece)) {
      const cut = isCommit(message) ? takeOrder() : null;
      if (cut === 'before') return end();
      answerIsLost ||= cut === 'after';
      upstream.write(message.bytes);
    }
  });
  // The first byte after the COMMIT is its answer, so by then it has taken effect.
  upstream.on('data', (piece: Buffer) => (answerIsLost ? end() : client.write(piece)));
}

interface ClientMessage {
  /** Null before the session begins, where messages have no type. */
  readonly type: string | null;
  readonly bytes: Buffer;
}

/** The statement of a simple query; ours never prepare a COMMIT. */
function isCommit({ type, bytes }: ClientMessage): boolean {
  return type === 'Q' && /^\s*commit\b/i.test(bytes.toString('utf8', 5, 40));
}

const PROTOCOL_3 = 3;

/** Puts what a client sends back together into whole messages. */
class ClientMessages {
  #rest: Buffer = Buffer.alloc(0);
  #begun = false;

  *push(piece: Buffer): Generator<ClientMessage> {
    this.#rest = Buffer.concat([this.#rest, piece]);
    for (;;) {
      const typeBytes = this.#begun ? 1 : 0;
      if (this.#rest.length < typeBytes + 4) return;
      const length = typeBytes + this.#rest.readInt32BE(typeBytes);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      const type = this.#begun ? String.fromCharCode(bytes[0] ?? 0) : null;
      // Requests for encryption or a cancellation come before the start of a session and carry other versions.
      this.#begun ||= bytes.readInt16BE(4) === PROTOCOL_3;
      yield { type, bytes };
    }
  }
}
