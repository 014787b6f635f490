// The two ways to the database: a transaction that flows write in, and a reader that cannot write.
import { assert } from '@ducat/core/assert';
import pg from 'pg';
import { hostUrls } from './database-url.ts';
import { Outage } from '../../runtime/outage.ts';
import { InDoubtCommits, noPause, type Sleep } from './in-doubt-commits.ts';
import { LongWork } from './long-work.ts';
import { connect, CONNECTION_WAIT_MS, openPool, type Pool, TIMEOUTS } from './pool.ts';
import { causeOfBreak, createHosts } from './primary-client.ts';
import type { OnNotice } from './primary-changes.ts';
import { createStatementNames, type StatementNames } from './statement-names.ts';

declare const transaction: unique symbol;

/** What SQL parameters may be. Amounts travel as text, since numeric(100,0) fits no number. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Buffer
  | readonly (string | number | boolean | null)[];

export interface Reader {
  /** Runs one reading statement; rows come as objects keyed by column. */
  read<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

/** An open transaction. Holding one gives no way to the pool. */
export interface Tx extends Reader {
  readonly [transaction]: true;
  write<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

/** Runs a flow in one transaction, again as a whole where the database asks for it. */
export type Transact = <T>(flow: (tx: Tx) => Promise<T>, shape?: FlowShape) => Promise<T>;

/**
 * `one-statement`: the flow sends one statement and no more, which is a transaction by itself, in one round trip instead
 * of three. `unhurried`: without timeouts, for work that may take as long as it takes. A runner may ignore both.
 */
export type FlowShape = 'one-statement' | 'unhurried';

export interface Database {
  readonly transact: Transact;
  readonly reader: Reader;
  /** The same on connections of their own, opened when needed, for short work that must not wait for other work. */
  readonly apart: { readonly transact: Transact; readonly reader: Reader };
  /** The same for statements on queues, which find everything by an index: their plans never read a whole table. */
  readonly queues: { readonly transact: Transact; readonly reader: Reader };
  /** The same for statements of requests: each is planned once on a connection, whatever its values, and scans no table. */
  readonly requests: { readonly transact: Transact; readonly reader: Reader };
  /** Whether no COMMIT is in doubt that was seen under way by a call `withinS` ago or more; `now` in Unix seconds. */
  readonly answersCommits: (now: number, withinS: number) => boolean;
  close(): Promise<void>;
}

/** Two flows met on the same rows: running one of them again is safe and right. */
const RUN_AGAIN = new Set(['40001', '40P01']);
const MAX_RUNS = 5;

/**
 * SQLSTATE classes that mean trouble of the database, not a wrong statement: connection (08),
 * a transaction on a standby (25), conflicts that did not end (40), resources such as a full disk (53), locks (55),
 * an operator's hand (57), the system below (58).
 */
const OUTAGE_CLASSES = new Set(['08', '25', '40', '53', '55', '57', '58']);

/** At the most; mostly one or two are open. A take-over that waits for a lock holds one of them. */
const APART_CONNECTIONS = 8;

/** At the most: the notifier claims, records and releases side by side. */
const QUEUE_CONNECTIONS = 4;

/**
 * A prepared statement keeps its plan until the table is counted again, and one made while the table was empty reads
 * all of it each time. So nothing is read but by an index in its order, and joined by hash: a plan for few rows would
 * compare each with each. A way that is off counts as costly beyond measure, for which each claim would be compiled first.
 */
const BY_INDEX = {
  options: ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_nestloop', 'jit']
    .map((on) => `-c ${on}=off`)
    .join(' '),
};

/** At the most: runs of orders, of each kind two at a time, and orders that are tried by themselves after a lock. */
const REQUEST_CONNECTIONS = 16;

/**
 * A list of fewer than ten values always looks cheaper to the planner than the ten that a plan for all values stands for, so
 * it would plan anew for each batch: 2.7 ms for eight orders, which is longer than writing them.
 */
const PLANNED_ONCE = {
  options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
};

/** The driver's own timeout of a statement, which cannot be switched off: some three weeks. */
const UNHURRIED_MS = 2_000_000_000;

/** A connection whose server shuts down, starts up, broke, or takes no writes any more is of no use to anybody. */
const ENDS_CONNECTION = new Set(['25006', '57P01', '57P02', '57P03']);

/** Other limits of time for a statement than the connection's. */
interface Limits {
  readonly query_timeout?: number;
}

/** What a reader asks without values: one statement that the server plans. */
const QUESTION = /^\s*(?:SELECT|WITH)\b/i;

interface Manner extends Limits {
  /** Whether the server plans it. Without values a transaction also sends what it does not, and scripts. */
  readonly isPlanned?: boolean;
}

/** The statement was sent, and neither a response nor the end of the connection came in time. */
class NoResponse extends Outage {}
/** And it was one that commits: the server may have done it, or may wait for its standby with it. */
class CommitInDoubt extends NoResponse {}

/** The driver reports by these words alone that no response came. */
const NO_RESPONSE = 'Query read timeout';

/** What is waited for, and how; and what is known of failovers. */
interface Settings {
  /** For a connection, or a place for one. */
  readonly placeMs?: number;
  /** The World's. Without it there is no pause between two discoveries of the primary, and no look at long work. */
  readonly sleep?: Sleep;
  /** Whether only a standby is ever promoted that has every COMMIT that was answered. No server reports that. */
  readonly promotesOnlySynced?: boolean;
}

/**
 * Opens a pool of at most `connections` to the database at `url`, which may name several hosts. `onNotice` gets
 * what the operator should know of the primary; it must not throw.
 */
export function openDatabase(
  url: string,
  connections: number,
  onNotice: OnNotice = () => undefined,
  { placeMs = CONNECTION_WAIT_MS, sleep, promotesOnlySynced = false }: Settings = {},
): Database {
  const read = hostUrls(url);
  if (!read.ok) throw new Error(`the address of the database: ${read.trouble}`);
  const hosts = createHosts(read.urls, onNotice, promotesOnlySynced);
  const timeouts = { ...TIMEOUTS, connectionTimeoutMillis: placeMs };
  const inDoubt = new InDoubtCommits(hosts, timeouts, sleep ?? noPause);
  // One for all connections: a statement has its name on whichever it is sent.
  const names = createStatementNames();
  const open = (max: number, settings = {}) =>
    openPool({ hosts, inDoubt, names }, { max, ...timeouts, ...settings });
  const main = open(connections);
  const apart = open(APART_CONNECTIONS);
  const queues = open(QUEUE_CONNECTIONS, BY_INDEX);
  const requests = open(REQUEST_CONNECTIONS, PLANNED_ONCE);
  const closing = new AbortController();
  if (sleep !== undefined) {
    const longWork = new LongWork();
    for (const { pool } of [main, apart, queues, requests]) longWork.watch(pool);
    void longWork.look(sleep, closing.signal, () => inDoubt.discoverPrimary());
  }
  return {
    ...waysInto(main),
    apart: waysInto(apart),
    queues: waysInto(queues),
    requests: waysInto(requests),
    answersCommits: (now, withinS) => inDoubt.areAnswered(now, withinS),
    close: async () => {
      closing.abort();
      inDoubt.close();
      hosts.close();
      await Promise.all([main, apart, queues, requests].map(({ pool }) => pool.end()));
    },
  };
}

function waysInto(pool: Pool): Pick<Database, 'transact' | 'reader'> {
  return {
    transact: (flow, shape) => transact(pool, flow, shape),
    reader: { read: (sql, values) => readOnce(pool, sql, values) },
  };
}

async function readOnce<Row>(pool: Pool, sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
  for (let runs = 1; ; runs++) {
    try {
      return await readOn<Row>(pool, sql, values);
    } catch (error) {
      if (runs >= MAX_RUNS || !isOutdated(error)) throw asOutage(error);
    }
  }
}

async function readOn<Row>(pool: Pool, sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
  const client = await connect(pool);
  let broken = false;
  try {
    const isPlanned = values.length > 0 || QUESTION.test(sql);
    return await run<Row>(pool.names, client, sql, values, { isPlanned });
  } catch (error) {
    broken = endsConnection(error);
    if (error instanceof NoResponse) pool.inDoubt.onNoResponse(client);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The database's own trouble becomes an Outage; what a statement did wrong stays what it is. */
function asOutage(error: unknown): unknown {
  const state = sqlState(error);
  if (state === null || !OUTAGE_CLASSES.has(state.slice(0, 2))) return error;
  return new Outage(`the database cannot serve (${state})`, { retryable: true, cause: error });
}

async function transact<T>(pool: Pool, flow: (tx: Tx) => Promise<T>, shape?: FlowShape): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await runOnce(pool, flow, shape);
    } catch (error) {
      const again = RUN_AGAIN.has(sqlState(error) ?? '') || isOutdated(error);
      if (runs >= MAX_RUNS || !again) throw asOutage(error);
    }
  }
}

async function runOnce<T>(pool: Pool, flow: (tx: Tx) => Promise<T>, shape?: FlowShape): Promise<T> {
  const client = await connect(pool);
  let [broken, isInDoubt] = [true, false];
  try {
    const isAlone = shape === 'one-statement';
    const result = isAlone ? await runAlone(pool, client, flow) : await runBegun(pool, client, flow, shape);
    broken = false;
    return result;
  } catch (error) {
    broken = endsConnection(error) || (await rollBackFailed(client));
    if (error instanceof NoResponse) pool.inDoubt.onNoResponse(client);
    isInDoubt = error instanceof CommitInDoubt;
    throw error;
  } finally {
    if (!isInDoubt) pool.inDoubt.end(client);
    if (isInDoubt) pool.inDoubt.hold(client);
    else client.release(broken);
  }
}

async function runBegun<T>(
  { inDoubt, names }: Pool,
  client: pg.PoolClient,
  flow: (tx: Tx) => Promise<T>,
  shape?: 'unhurried',
): Promise<T> {
  await run(names, client, 'BEGIN ISOLATION LEVEL READ COMMITTED', []);
  const limits = shape === 'unhurried' ? { query_timeout: UNHURRIED_MS } : {};
  if (shape === 'unhurried') {
    await run(names, client, 'SET LOCAL statement_timeout = 0', []);
    await run(names, client, 'SET LOCAL lock_timeout = 0', []);
  }
  const result = await flow(txOn(names, client, limits));
  inDoubt.begin(client);
  const { command } = await withoutWarning(client, () => outageOf(client, () => client.query('COMMIT')));
  // A flow that went on after a statement had failed is answered with ROLLBACK, and with no error.
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}: nothing was written`);
  return result;
}

/** The statement begins and commits by itself, so a second one would be another transaction. */
function runAlone<T>(
  { inDoubt, names }: Pool,
  client: pg.PoolClient,
  flow: (tx: Tx) => Promise<T>,
): Promise<T> {
  let sent = 0;
  const once = async <Row>(sql: string, values: readonly SqlValue[]) => {
    sent += 1;
    assert(sent === 1, 'a flow of one statement sent another one');
    inDoubt.begin(client);
    return withoutWarning(client, () => run<Row>(names, client, sql, values));
  };
  // As in `txOn`.
  return flow({ read: once, write: once } as Tx);
}

/**
 * Only a response without a warning is a commit. A server warns when its wait for a synchronous standby was cut short:
 * the transaction is done there and would be lost with that server, so for us the outcome is unknown.
 */
async function withoutWarning<T>(client: pg.PoolClient, committing: () => Promise<T>): Promise<T> {
  let warning: unknown = null;
  const onWarning = (notice: unknown) => {
    warning = notice;
  };
  client.on('notice', onWarning);
  try {
    const result = await committing();
    if (warning === null) return result;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    throw new CommitInDoubt('a COMMIT got no response in time', { retryable: true, cause: error.cause });
  } finally {
    client.off('notice', onWarning);
  }
  throw new Outage('the outcome of a COMMIT is unknown', { retryable: true, cause: warning });
}

function endsConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === null ? error instanceof Outage : ENDS_CONNECTION.has(state) || state.startsWith('08');
}

/** Whether the connection is of no more use. */
async function rollBackFailed(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return false;
  } catch {
    return true;
  }
}

function txOn(names: StatementNames, client: pg.PoolClient, limits: Limits): Tx {
  const execute = <Row>(sql: string, values: readonly SqlValue[]) =>
    run<Row>(names, client, sql, values, limits);
  // The brand exists for the compiler alone, so there is nothing to put into the object.
  return { read: execute, write: execute } as Tx;
}

async function run<Row>(
  names: StatementNames,
  client: pg.PoolClient,
  sql: string,
  values: readonly SqlValue[],
  { isPlanned = values.length > 0, ...limits }: Manner = {},
): Promise<readonly Row[]> {
  // Planning costs most of our statements several times what running them does, so what is planned is prepared.
  const name = isPlanned ? names.nameOf(sql) : null;
  const query = { text: sql, values: [...values], ...limits, ...(name === null ? {} : { name }) };
  try {
    // pg's own row type is `any`; the caller names the columns it selected.
    const result = await outageOf(client, () => client.query(query));
    return result.rows as Row[];
  } catch (error) {
    if (isOutdated(error)) names.renew();
    throw error;
  }
}

/**
 * Whether a statement was refused because its tables have other columns than when it was prepared, by a migration
 * that another process ran meanwhile. Nothing of it was done; under a new name it is prepared anew.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** An error of the database stays what it is; where no response came, an outage is thrown. */
async function outageOf<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== null) throw error;
    // The server's last error, where it sent one, says more than that the connection is of no use.
    const broke = causeOfBreak(client);
    if (broke === null && error instanceof Error && error.message === NO_RESPONSE) {
      throw new NoResponse('the database does not respond', { retryable: true, cause: error });
    }
    const cause = broke ?? error;
    const state = sqlState(cause);
    const why = state === null ? '' : ` (${state})`;
    throw new Outage(`the database connection broke${why}`, { retryable: true, cause });
  }
}

/** The five-letter SQLSTATE of an error that the database sent, null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** A row that was just met, and is never deleted, cannot be read: another server responds by now, and may lack it. */
export function outOfSight(what: string): Outage {
  return new Outage(`${what} is not there any more: the primary changed`, { retryable: true });
}

/** Whether a statement was refused because of this unique constraint or index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/**
 * Whether one row of many may be why a statement failed: a lock or a statement that took too long, or a bug. The
 * database reported it, so nothing of the statement was done.
 */
export function mayBeOfOne(error: unknown): boolean {
  if (!(error instanceof Outage)) return true;
  return ['55P03', '57014'].includes(sqlState(error.cause) ?? '');
}
