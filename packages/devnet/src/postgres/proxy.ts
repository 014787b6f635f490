// A TCP proxy in front of PostgreSQL that knows when a client commits, and can cut the connection there.
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { listenLocally } from '../net/listen-locally.ts';
import { type Commit, PostgresCommits } from './commits.ts';
import { PostgresMessages } from './messages.ts';

/**
 * Where a connection is cut. `before`: the server never receives the COMMIT. `after`: the server has committed, and its
 * answer is discarded. The client sees no difference.
 */
export type CommitCut = 'before' | 'after';

/** A COMMIT that was cut. */
export interface CutCommit extends Commit {
  readonly where: CommitCut;
}

/** A running proxy on 127.0.0.1. */
export interface PostgresProxy {
  readonly port: number;
  /** Cuts the next `count` connections at a COMMIT for which `isWanted` is true. Replaces cuts that were still open. */
  cutCommits(where: CommitCut, count: number, isWanted?: (commit: Commit) => boolean): void;
  /** All commits that were cut so far. */
  cuts(): readonly CutCommit[];
  /** New connections go to this port from now on. */
  retarget(port: number): void;
  /** Resets all open connections. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a proxy in front of a server on 127.0.0.1. `onCommit` is called for every COMMIT that passes, cut or not. */
export async function startPostgresProxy(
  targetPort: number,
  onCommit: (commit: Commit) => void = () => undefined,
): Promise<PostgresProxy> {
  const clients = new Set<Socket>();
  const cuts: CutCommit[] = [];
  let target = targetPort;
  let order: CutOrder = { where: 'before', left: 0, isWanted: () => false };
  const take = (commit: Commit): TakenCut | null => {
    onCommit(commit);
    const taken = order;
    if (taken.left === 0 || !taken.isWanted(commit)) return null;
    taken.left -= 1;
    return {
      where: taken.where,
      done: () => void cuts.push({ ...commit, where: taken.where }),
      failed: () => void (taken.left += 1),
    };
  };
  const server = createServer((client) => {
    clients.add(client);
    const upstream = connect({ host: '127.0.0.1', port: target });
    relay(client, upstream, take);
    client.once('close', () => clients.delete(client));
  });
  const port = await listenLocally(server);
  const cut = () => clients.forEach((client) => client.resetAndDestroy());
  return {
    port,
    cutCommits: (where, count, isWanted = () => true) => {
      order = { where, left: count, isWanted };
    },
    cuts: () => [...cuts],
    retarget: (next) => {
      target = next;
    },
    cut,
    stop: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface CutOrder {
  readonly where: CommitCut;
  left: number;
  readonly isWanted: (commit: Commit) => boolean;
}

/** One COMMIT that was chosen to be cut. */
interface TakenCut {
  readonly where: CommitCut;
  readonly done: () => void;
  /** The cut did not happen, because the server refused the transaction or ended. Another COMMIT is cut in its place. */
  readonly failed: () => void;
}

function relay(client: Socket, upstream: Socket, take: (commit: Commit) => TakenCut | null): void {
  const [asked, answered] = [new PostgresMessages('client'), new PostgresMessages('server')];
  const commits = new PostgresCommits();
  /** The COMMIT whose answer is to be discarded, and its answer so far. */
  let lost: { readonly cut: TakenCut; readonly answer: Buffer[]; isRefused: boolean } | null = null;
  const end = () => {
    client.resetAndDestroy();
    upstream.destroy();
  };
  client.on('error', () => upstream.destroy());
  upstream.on('error', end);
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => {
    if (lost === null) {
      client.end();
      return;
    }
    lost.cut.failed();
    end();
  });
  client.on('data', (piece: Buffer) => {
    for (const message of asked.push(piece)) {
      const commit = commits.said(message);
      const cut = commit === null ? null : take(commit);
      if (cut?.where === 'before') {
        cut.done();
        return end();
      }
      if (cut !== null) lost = { cut, answer: [], isRefused: false };
      upstream.write(message.bytes);
    }
  });
  upstream.on('data', (piece: Buffer) => {
    // Before a session the server sends single bytes, which answer a request for encryption.
    const messages = asked.hasBegun ? [...answered.push(piece)] : [];
    for (const message of messages) commits.answered(message);
    if (lost === null) {
      client.write(piece);
      return;
    }
    lost.answer.push(piece);
    lost.isRefused ||= messages.some(({ type }) => type === 'E');
    // Rows, and even the completion message, may come earlier. The COMMIT has taken effect only once the server is
    // ready again.
    if (!messages.some(({ type }) => type === 'Z')) return;
    if (!lost.isRefused) {
      lost.cut.done();
      end();
    } else {
      lost.cut.failed();
      client.write(Buffer.concat(lost.answer));
    }
    lost = null;
  });
}
