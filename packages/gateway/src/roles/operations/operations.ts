// The operator's own port: metrics, liveness and readiness of this process.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../../runtime/metrics/metrics.ts';
import { type BackupReport, readBackupReport } from '../../db/reports/backup-report.ts';
import { type BooksReport, readBooksReport } from '../../db/reports/books-report.ts';
import { type Depths, readDepths } from '../../db/reports/depths.ts';
import { type HoldingsReport, readHoldingsReport } from '../../db/reports/holdings-report.ts';
import { type OutgoingReport, readOutgoingReport } from '../../db/reports/outgoing-report.ts';
import {
  DATABASE_AWAY,
  oneAtATime,
  type Readiness,
  READINESS_WITHIN_MS,
  readReadiness,
} from '../../db/reports/readiness.ts';
import type { Database, Reader } from '../../db/postgres/tx.ts';
import { unixTime, within, type World } from '../../runtime/world.ts';

export interface Operations {
  readonly host: string;
  readonly port: number;
  readonly reader: Reader;
  readonly answersCommits: Database['answersCommits'];
  readonly metrics: Metrics;
  readonly world: World;
  /** Names of the chains that are on. */
  readonly chains: readonly string[];
  /** Within this time each used address is compared with the books. */
  readonly roundMs: number;
  /** Whether every role of this process is running. */
  readonly isRunning: () => boolean;
}

export interface OperationsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Reads of the database. Each runs once at a time, however many requests need it. */
interface Looks {
  readonly readiness: () => Promise<Readiness>;
  readonly depths: () => Promise<Depths | null>;
  readonly books: () => Promise<BooksReport | null>;
  readonly backups: () => Promise<BackupReport | null>;
  readonly outgoing: () => Promise<OutgoingReport | null>;
  readonly holdings: () => Promise<HoldingsReport | null>;
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Serves /metrics, /healthz and /readyz. Meant for loopback or a private network, because it shows how the shop runs. */
export async function serveOperations(operations: Operations): Promise<OperationsServer> {
  const { reader, chains, world } = operations;
  const looks: Looks = {
    readiness: oneAtATime(() => readReadiness(operations, chains, unixTime(world))),
    depths: oneAtATime(() => readDepths(reader).catch(() => null)),
    books: oneAtATime(() => readBooksReport(reader, chains).catch(() => null)),
    backups: oneAtATime(() => readBackupReport(reader).catch(() => null)),
    outgoing: oneAtATime(() => readOutgoingReport(reader, world.nowMs()).catch(() => null)),
    holdings: oneAtATime(() => readHoldingsReport(reader).catch(() => null)),
  };
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, (request, response) => {
    const path = request.method === 'GET' ? (request.url ?? '').split('?')[0] : undefined;
    answer(operations, looks, path).then(
      ({ status, contentType, body }) =>
        response.writeHead(status, { 'content-type': contentType }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, operations);
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${operations.host}:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function listen(server: Server, { host, port }: Operations): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

async function answer(operations: Operations, looks: Looks, path: string | undefined): Promise<Answer> {
  if (path === '/healthz') return text(200, 'alive\n');
  if (path === '/readyz') return readiness(operations, looks);
  if (path === '/metrics') return scrape(operations, looks);
  return text(404, 'try /metrics, /healthz or /readyz\n');
}

/** 503 only while nothing could work. A chain that stands still is reported in the body, because the others go on. */
async function readiness({ world, isRunning }: Operations, looks: Looks): Promise<Answer> {
  if (!isRunning()) return json(503, { ready: false, running: false });
  const readiness = (await within(world, READINESS_WITHIN_MS, looks.readiness())) ?? DATABASE_AWAY;
  return json(readiness.ready ? 200 : 503, { running: true, ...readiness });
}

async function scrape({ metrics, world, roundMs }: Operations, looks: Looks): Promise<Answer> {
  // Without the database the counters of this process are still worth showing.
  const [depths, books, backups, outgoing, holdings] = await Promise.all([
    within(world, READINESS_WITHIN_MS, looks.depths()),
    within(world, READINESS_WITHIN_MS, looks.books()),
    within(world, READINESS_WITHIN_MS, looks.backups()),
    within(world, READINESS_WITHIN_MS, looks.outgoing()),
    within(world, READINESS_WITHIN_MS, looks.holdings()),
  ]);
  const read = { depths, books, backups, outgoing, holdings };
  const body = await metrics.expose({ ...read, nowMs: world.nowMs(), roundMs });
  return { status: 200, contentType: metrics.contentType, body };
}

function text(status: number, body: string): Answer {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}
