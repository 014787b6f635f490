// A connection that breaks at any moment, also before it was ever used, is an outage and never the end of the process.
import { connect, createServer, type Server } from 'node:net';
import { startTcpProxy, type TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { type Database, openDatabase } from './tx.ts';

const CUTS = 300;
const CONNECTIONS = 8;
const QUESTION = 'pg_is_in_recovery';
/** What a server says to a session that it ends, as its protocol frames it. */
const LAST_WORDS = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';

let direct: TestDatabase;

beforeAll(async () => {
  direct = await openTestDatabase(inject('postgresAdminUrl'), 2);
});
afterAll(() => direct.drop());

function urlAt(port: number): string {
  const url = new URL(direct.url);
  url.port = String(port);
  return url.href;
}

describe('a connection', () => {
  it.each([
    ['without a word', null],
    ['by a server that shuts down', LAST_WORDS],
  ])('that is cut %s while it is asked for the primary is an outage', async (_, words) => {
    const server = cutAtQuestion(Number(new URL(direct.url).port), words);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const database = openDatabase(urlAt(typeof address === 'object' ? (address?.port ?? 0) : 0), 2);
    try {
      for (let n = 0; n < 5; n++) {
        await expect(database.reader.read('SELECT 1', [])).rejects.toBeInstanceOf(Outage);
      }
    } finally {
      await database.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it(`that is cut at any of ${CUTS} moments is an outage`, { timeout: 120_000 }, async () => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(direct.url).port) });
    const database = openDatabase(urlAt(proxy.port), CONNECTIONS);
    const stop = new AbortController();
    const readers = Array.from({ length: CONNECTIONS }, () => readOn(database, stop.signal));
    try {
      for (let cut = 0; cut < CUTS; cut++) await cutLater(proxy, cut % 60);
    } finally {
      stop.abort();
    }
    const read = await Promise.all(readers);
    expect(read.reduce((sum, { outages }) => sum + outages, 0)).toBeGreaterThan(CUTS / 2);
    expect(await readPastCut(database)).toEqual([{ one: 1 }]);
    await database.close();
    await proxy.stop();
  });

  it('that the server ended for its pause is named in the cause', async () => {
    const flow = direct.transact(async (tx) => {
      await tx.read(`SELECT set_config('idle_in_transaction_session_timeout', '50', true)`, []);
      const [own] = await tx.read<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
      for (;;) {
        const alive = 'SELECT FROM pg_stat_activity WHERE pid = $1';
        if ((await direct.reader.read(alive, [own?.pid ?? 0])).length === 0) break;
      }
      await tx.read('SELECT 1', []);
    });
    await expect(flow).rejects.toMatchObject({
      // The server says it while nobody asks, or in answer to the next question: whichever is read first.
      message: expect.stringMatching(/^the database (?:connection broke|cannot serve) \(25P03\)$/),
      cause: { code: '25P03' },
    });
  });
});

/** Lets a moment pass that is another one each time, so that every stage of a connection is hit. */
async function cutLater(proxy: TcpProxy, turns: number): Promise<void> {
  while (proxy.openConnections() === 0) await nextTurn();
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  proxy.cut();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function readOn({ transact }: Database, signal: AbortSignal): Promise<{ readonly outages: number }> {
  let outages = 0;
  while (!signal.aborted) {
    try {
      await transact((tx) => tx.read('SELECT 1', []));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      outages++;
    }
  }
  return { outages };
}

/** The last cut may have hit each connection while it was idle: as many outages are in order, and not one more. */
async function readPastCut({ reader }: Database): Promise<readonly unknown[]> {
  for (let outages = 0; ; outages++) {
    try {
      return await reader.read('SELECT 1 AS one', []);
    } catch (error) {
      if (!(error instanceof Outage) || outages === CONNECTIONS) throw error;
    }
  }
}

function cutAtQuestion(port: number, words: string | null): Server {
  return createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on('error', end);
    upstream.on('error', end);
    client.once('close', end);
    client.on('data', (piece: Buffer) => {
      if (!piece.includes(QUESTION)) return void upstream.write(piece);
      if (words === null) return end();
      const head = Buffer.alloc(5);
      head.write('E');
      head.writeInt32BE(4 + words.length, 1);
      client.end(Buffer.concat([head, Buffer.from(words, 'latin1')]));
      return undefined;
    });
    upstream.on('data', (piece: Buffer) => client.write(piece));
  });
}
