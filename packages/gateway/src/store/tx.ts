// The two ways to the database: a transaction that flows write in, and a reader that cannot write.
import pg from 'pg';
import { Outage } from '../outage.ts';

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
export type Transact = <T>(flow: (tx: Tx) => Promise<T>) => Promise<T>;

export interface Database {
  readonly transact: Transact;
  readonly reader: Reader;
  close(): Promise<void>;
}

/** Two flows met on the same rows: running one of them again is safe and right. */
const RUN_AGAIN = new Set(['40001', '40P01']);
const MAX_RUNS = 5;

/**
 * SQLSTATE classes that tell of the database's own trouble and not of a wrong statement: connection (08),
 * a transaction on a standby (25), conflicts that did not end (40), resources such as a full disk (53), locks (55),
 * an operator's hand (57), the system below (58).
 */
const OUTAGE_CLASSES = new Set(['08', '25', '40', '53', '55', '57', '58']);

/** A host that vanished without a word must not hold a role, and a frozen process must not hold a lock. */
const PATIENCE = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  statement_timeout: 60_000,
  lock_timeout: 20_000,
  idle_in_transaction_session_timeout: 60_000,
  query_timeout: 90_000,
};

// int8 holds block numbers, times and row numbers, all of them far below 2^53; numeric stays text.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** Opens a pool of at most `connections` to the database at `url`. */
export function openDatabase(url: string, connections: number): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types,
    ...PATIENCE,
  });
  // A connection that breaks while idle is dropped by the pool; whoever needs one next meets the outage.
  pool.on('error', () => undefined);
  // One that breaks inside a transaction belongs to nobody but the transaction: its next statement meets the outage.
  // Without a listener of its own, the client's error would end the whole process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    transact: (flow) => transact(pool, flow),
    reader: { read: (sql, values) => readOnce(pool, sql, values) },
    close: () => pool.end(),
  };
}

async function readOnce<Row>(
  pool: pg.Pool,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly Row[]> {
  try {
    return await run<Row>(pool, sql, values);
  } catch (error) {
    throw asOutage(error);
  }
}

/** The database's own trouble becomes an Outage; what a statement did wrong stays what it is. */
function asOutage(error: unknown): unknown {
  const state = sqlState(error);
  if (state === null || !OUTAGE_CLASSES.has(state.slice(0, 2))) return error;
  return new Outage(`the database cannot serve (${state})`, { retryable: true, cause: error });
}

async function transact<T>(pool: pg.Pool, flow: (tx: Tx) => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await runOnce(pool, flow);
    } catch (error) {
      if (runs >= MAX_RUNS || !RUN_AGAIN.has(sqlState(error) ?? '')) throw asOutage(error);
    }
  }
}

async function runOnce<T>(pool: pg.Pool, flow: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  let broken = true;
  try {
    await run(client, 'BEGIN', []);
    const result = await flow(txOn(client));
    await run(client, 'COMMIT', []);
    broken = false;
    return result;
  } catch (error) {
    broken = await rollBackFailed(client);
    throw error;
  } finally {
    client.release(broken);
  }
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

function txOn(client: pg.PoolClient): Tx {
  const execute = <Row>(sql: string, values: readonly SqlValue[]) => run<Row>(client, sql, values);
  // The brand exists for the compiler alone, so there is nothing to put into the object.
  return { read: execute, write: execute } as Tx;
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new Outage('the database cannot be reached', { retryable: true, cause: error });
  }
}

async function run<Row>(
  client: pg.Pool | pg.PoolClient,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly Row[]> {
  try {
    // pg's own row type is `any`; the caller names the columns it selected.
    const result = await client.query(sql, values as SqlValue[]);
    return result.rows as Row[];
  } catch (error) {
    if (sqlState(error) === null) {
      throw new Outage('the database connection broke', { retryable: true, cause: error });
    }
    throw error;
  }
}

/** The five-letter SQLSTATE of an error the database answered with, null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** Whether a statement was refused because of this unique constraint or index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}
