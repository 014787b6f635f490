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

/** An open transaction. Its holder cannot reach the pool through it. */
export interface Tx extends Reader {
  readonly [transaction]: true;
  write<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

/** Runs a flow in one transaction. Runs the whole flow again on a deadlock or serialization failure. */
export type Transact = <T>(flow: (tx: Tx) => Promise<T>, shape?: FlowShape) => Promise<T>;

/**
 * `one-statement`: the flow sends exactly one statement, which is a transaction by itself: one round trip instead of
 * three. `unhurried`: no timeouts, for work without a time limit. A runner may ignore both.
 */
export type FlowShape = 'one-statement' | 'unhurried';

export interface Database {
  readonly transact: Transact;
  readonly reader: Reader;
  /** The same on separate connections, opened on demand, for short work that must not wait for other work. */
  readonly apart: { readonly transact: Transact; readonly reader: Reader };
  /** The same for statements on queues. These find everything by an index, so their plans never scan a table. */
  readonly queues: { readonly transact: Transact; readonly reader: Reader };
  /** The same for statements of requests. A connection plans each once, whatever its values, and they scan no table. */
  readonly requests: { readonly transact: Transact; readonly reader: Reader };
  /** False while a COMMIT is in doubt that a call first saw under way `withinS` ago or earlier. `now` in Unix seconds. */
  readonly answersCommits: (now: number, withinS: number) => boolean;
  close(): Promise<void>;
}

/** Two flows conflicted on the same rows. It is safe to run one of them again. */
const RUN_AGAIN = new Set(['40001', '40P01']);
const MAX_RUNS = 5;

/**
 * SQLSTATE classes of an outage, not of a wrong statement: connection (08), a transaction on a standby (25), conflicts
 * that did not end (40), resources such as a full disk (53), locks (55), an operator (57), the operating system (58).
 */
const OUTAGE_CLASSES = new Set(['08', '25', '40', '53', '55', '57', '58']);

/** Maximum; mostly one or two are open. A lease take-over that waits for a lock holds one. */
const APART_CONNECTIONS = 8;

/** Maximum: the notifier claims, records and releases in parallel. */
const QUEUE_CONNECTIONS = 4;

/**
 * A prepared statement keeps its plan until the table is analysed again, and a plan made on an empty table scans it
 * all. So tables are read by index, in its order, and joined by hash: a nested loop planned for few rows compares each
 * with each. JIT is off, because disabled plan nodes look so costly that each claim would be compiled first.
 */
const BY_INDEX = {
  options: ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_nestloop', 'jit']
    .map((on) => `-c ${on}=off`)
    .join(' '),
};

/** Maximum: batches of orders, two at a time of each kind, and orders that are retried one by one after a lock. */
const REQUEST_CONNECTIONS = 16;

/**
 * A generic plan assumes ten values in a list, so a plan for fewer looks cheaper and each batch would be planned anew:
 * 2.7 ms for eight orders, which is longer than their write takes.
 */
const PLANNED_ONCE = {
  options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
};

/** The driver's own statement timeout, which cannot be switched off: about three weeks. */
const UNHURRIED_MS = 2_000_000_000;

/** After these a connection is useless: its server shuts down, crashed, starts up, or takes no more writes. */
const ENDS_CONNECTION = new Set(['25006', '57P01', '57P02', '57P03']);

/** A statement's own timeout in place of the connection's. */
interface Limits {
  readonly query_timeout?: number;
}

/** A reader's statement without values that the server plans. */
const QUESTION = /^\s*(?:SELECT|WITH)\b/i;

interface Manner extends Limits {
  /** Whether the server plans the statement. In a transaction, one without values may be a command or a script. */
  readonly isPlanned?: boolean;
}

/** The statement was sent, and neither a response nor the end of the connection arrived in time. */
class NoResponse extends Outage {}
/** No response to a statement that commits. The server may have committed, or may still wait for its standby. */
class CommitInDoubt extends NoResponse {}

/** The only sign of a missing response: the driver has no error code for it. */
const NO_RESPONSE = 'Query read timeout';

/** Timeouts and pauses, and what the operator says of failovers. */
interface Settings {
  /** How long to wait for a connection, or for a place in the pool. */
  readonly placeMs?: number;
  /** The sleep of the World. Without it, discoveries of the primary follow without a pause, and long work is not checked. */
  readonly sleep?: Sleep;
  /** Whether only a standby with every answered COMMIT is ever promoted. No server reports this. */
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
  // Shared by all connections, so a statement has the same name on each of them.
  const names = createStatementNames();
  const open = (max: number, settings = {}) =>
    openPool({ hosts, inDoubt, names, isWatched: sleep !== undefined }, { max, ...timeouts, ...settings });
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

/** An error of the database itself becomes an Outage. An error of the statement stays as it is. */
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
  // If a flow goes on after a failed statement, the server answers COMMIT with ROLLBACK and without an error.
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
  // The cast is explained in `txOn`.
  return flow({ read: once, write: once } as Tx);
}

/**
 * Only a response without a warning is a commit. A server warns when its wait for a synchronous standby was cut short.
 * The transaction is committed there and would be lost with that server, so its outcome counts as unknown.
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

/** Whether the ROLLBACK failed, so that the connection is useless. */
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
  // For most of our statements planning takes several times as long as execution, so planned statements are prepared.
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
 * Whether a statement was refused because a migration of another process changed its tables after it was prepared. The
 * statement had no effect. Under a new name it is prepared again.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** An error that the database sent is rethrown as it is. A broken connection or a missing response becomes an Outage. */
async function outageOf<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== null) throw error;
    // The server's last error, if it sent one, says more than the driver's error about a broken connection.
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

/**
 * The outage for a row that was just read, cannot be deleted and is missing now: another server responds and may lack it.
 */
export function outOfSight(what: string): Outage {
  return new Outage(`${what} is not there any more: the primary changed`, { retryable: true });
}

/** Whether a statement was refused because of this unique constraint or index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/**
 * Whether one row of a batch may be why a statement failed: a lock timeout, a statement timeout, or a bug. The database
 * reported the error, so the statement had no effect.
 */
export function mayBeOfOne(error: unknown): boolean {
  if (!(error instanceof Outage)) return true;
  return ['55P03', '57014'].includes(sqlState(error.cause) ?? '');
}
