// The database as one process sees it: every statement, every COMMIT and every answer waits for the scheduler.
import { Outage } from '@ducat/gateway/runtime/outage';
import type { Database, Reader, SqlValue, Transact, Tx } from '@ducat/gateway/db/postgres/tx';
import { PUT_OFF } from '@ducat/gateway/db/tables/outgoing/look-again';
import { Deferred, type Ended, endOf } from '../world/deferred.ts';
import { IDLE_TIMEOUT } from './without-timeouts.ts';
import type { OpenSession, Scheduler } from '../world/scheduler.ts';
import type { SimProcess } from '../world/sim-process.ts';

/** What goes wrong with the next call, if anything. */
export type DatabaseFault = 'away' | 'commit-lost' | null;

type Rows = readonly unknown[];

export interface DatabaseGate {
  readonly real: Database;
  readonly scheduler: Scheduler;
  /** Drawn anew for each call. */
  readonly fault: (call: 'begin' | 'statement' | 'commit') => DatabaseFault;
  /** Called when a COMMIT that wrote something took effect, before its process gets the answer. */
  readonly onCommit: (process: SimProcess, tables: ReadonlySet<string>) => void;
}

class Killed extends Error {
  override readonly name = 'Killed';
}

/** One transaction under way. `watch` binds `settled` to it when the database has been asked to begin. */
class Session implements OpenSession {
  readonly killed = new Deferred<never>();
  readonly #end = new Deferred<unknown>();
  /** Resolves when the flow is entered, at first or by a retry of the transaction. */
  turn = new Deferred<'entered'>();
  /** The connection broke: every later statement fails as well. */
  broken = false;
  /** A statement asked the server to end the transaction when it is left idle. */
  endsIdle = false;
  /** The transaction itself, once it has begun; only to end it as the server would. */
  tx: Tx | null = null;
  /** The tables that its statements may have changed. */
  readonly wrote = new Set<string>();
  /** Whether a statement of it wrote anything that is not routine. */
  hasEffect = false;

  get settled(): Promise<unknown> {
    return this.#end.promise;
  }

  watch(transaction: Promise<unknown>): void {
    void transaction.then(this.#end.resolve);
  }
}

export class GatedDatabase {
  readonly reader: Reader;
  readonly transact: Transact;
  readonly #gate: DatabaseGate;
  readonly #process: SimProcess;
  readonly #sessions = new Set<Session>();

  constructor(process: SimProcess, gate: DatabaseGate) {
    this.#process = process;
    this.#gate = gate;
    this.reader = { read: (sql, values) => this.#read(sql, values) };
    this.transact = (flow, shape) => (shape === 'one-statement' ? this.#alone(flow) : this.#transact(flow));
  }

  /** Ends the process. Its open transactions are rolled back, as the server does when a connection closes. */
  async kill(): Promise<void> {
    const open = [...this.#sessions];
    this.#process.alive = false;
    for (const session of open) session.killed.reject(new Killed('the process was killed'));
    await this.#gate.scheduler.drop(this.#process, open);
  }

  /**
   * The server ends the transactions that the process leaves idle, where they asked for it. Their changes are rolled
   * back, their locks go to others, and the process finds out with its next statement.
   */
  async cutIdle(): Promise<number> {
    const { scheduler } = this.#gate;
    let cut = 0;
    for (const session of this.#sessions) {
      if (session.broken || session.tx === null || !session.endsIdle) continue;
      if (scheduler.waitsForLock(session)) continue;
      session.broken = true;
      cut++;
      await session.tx.write('ROLLBACK', []);
    }
    if (cut > 0) await scheduler.settleLocks();
    return cut;
  }

  #read<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    const { real, scheduler, fault } = this.#gate;
    const work = (): Promise<readonly Row[]> => {
      if (fault('statement') !== null) throw away();
      return real.reader.read<Row>(sql, values);
    };
    return scheduler.ask(this.#process, `read ${brief(sql)}`, async () => work(), { show: showRows });
  }

  #transact<T>(flow: (tx: Tx) => Promise<T>): Promise<T> {
    const { real, scheduler, fault } = this.#gate;
    const session = new Session();
    const answer = new Deferred<T>();
    let ending: Promise<Ended<T>> | null = null;
    const next = (): Promise<Ended<T> | 'entered'> =>
      Promise.race(ending === null ? [session.turn.promise] : [session.turn.promise, ending]);
    const hand = (outcome: Ended<T> | 'entered'): void => {
      if (outcome === 'entered') return;
      this.#sessions.delete(session);
      if (outcome.ok) answer.resolve(outcome.value);
      else answer.reject(outcome.error);
    };
    const inner = async (tx: Tx): Promise<T> => {
      session.tx = tx;
      session.turn.resolve('entered');
      const end = await Promise.race([endOf(flow(this.#gatedTx(tx, session))), session.killed.promise]);
      session.turn = new Deferred();
      const permit = new Deferred<void>();
      const finish = async (): Promise<Ended<T> | 'entered'> => {
        const lost = end.ok ? (session.broken ? 'away' : fault('commit')) : null;
        session.tx = null;
        if (lost === 'away') permit.reject(away());
        else permit.resolve();
        const outcome = await next();
        if (outcome === 'entered' || !outcome.ok) return outcome;
        if (session.wrote.size > 0) this.#gate.onCommit(this.#process, session.wrote);
        return lost === 'commit-lost' ? { ok: false, error: away() } : outcome;
      };
      void scheduler
        .ask(this.#process, end.ok ? 'COMMIT' : 'ROLLBACK', finish, {
          show: showEnd,
          session,
          freesLocks: true,
          isEffect: () => end.ok && session.hasEffect,
        })
        .then(hand);
      const refused = await endOf(Promise.race([permit.promise, session.killed.promise]));
      if (end.ok && refused.ok) return end.value;
      // Production drops a broken connection, and the server rolls back some time later. Here the rollback is done at once.
      await endOf(tx.write('ROLLBACK', []));
      if (!end.ok) throw end.error;
      throw refused.ok ? new Killed('the process was killed') : refused.error;
    };
    const begin = async (): Promise<Ended<T> | 'entered'> => {
      if (fault('begin') !== null) return { ok: false, error: away() };
      this.#sessions.add(session);
      scheduler.open.add(session);
      ending = endOf(real.transact(inner));
      session.watch(ending.finally(() => scheduler.open.delete(session)));
      return next();
    };
    void scheduler.ask(this.#process, 'BEGIN', begin, { show: showEnd, session }).then(hand);
    return answer.promise;
  }

  /** Runs a statement that begins and commits by itself. One that waits for a lock is executed even if its process dies. */
  #alone<T>(flow: (tx: Tx) => Promise<T>): Promise<T> {
    const { real, scheduler, fault, onCommit } = this.#gate;
    const execute = <Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> => {
      const session = new Session();
      const work = async (): Promise<readonly Row[]> => {
        const lost = fault('commit');
        if (lost === 'away') throw away();
        scheduler.open.add(session);
        const ending = endOf(real.transact((tx) => tx.write<Row>(sql, values), 'one-statement'));
        session.watch(ending.finally(() => scheduler.open.delete(session)));
        const outcome = await ending;
        if (!outcome.ok) throw outcome.error;
        const written = tablesWritten(sql, outcome.value);
        if (written.length > 0) onCommit(this.#process, new Set(written));
        if (lost === 'commit-lost') throw away();
        return outcome.value;
      };
      const options = {
        show: showRows,
        session,
        freesLocks: true,
        isEffect: () => isEffect(sql, tablesNamed(sql)),
      };
      return scheduler.ask(this.#process, `COMMIT ${brief(sql)}`, work, options);
    };
    // Only the database makes a Tx, so that no flow gets a transaction in another way; hence the cast.
    return flow({ read: execute, write: execute } as Tx);
  }

  #gatedTx(tx: Tx, session: Session): Tx {
    const { scheduler, fault } = this.#gate;
    const execute = <Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> => {
      const work = async (): Promise<readonly Row[]> => {
        session.broken ||= fault('statement') !== null;
        if (session.broken) throw away();
        const rows = await tx.write<Row>(sql, values);
        session.endsIdle ||= sql.includes(IDLE_TIMEOUT);
        const tables = tablesWritten(sql, rows);
        for (const table of tables) session.wrote.add(table);
        session.hasEffect ||= isEffect(sql, tables);
        return rows;
      };
      return scheduler.ask(this.#process, brief(sql), work, { show: showRows, session });
    };
    return { ...tx, read: execute, write: execute };
  }
}

/** Renewals of leases are left out: they come all the time, and no checker looks at them. */
const WRITING = /\b(?:INSERT INTO|UPDATE (?!leases\b)|DELETE FROM) ?(?!SKIP|OF|SET)(\w+)/g;
const writtenBy = new Map<string, readonly string[]>();

/** By the text of the statement, because no trigger and no function of the database writes anything of ours. */
function tablesWritten(sql: string, rows: Rows): readonly string[] {
  if (isIdleClaim(rows)) return [];
  const tables = tablesNamed(sql);
  // A process that gets no row back lost the race for a lease.
  return rows.length === 0 ? tables.filter((table) => table !== 'leases') : tables;
}

function tablesNamed(sql: string): readonly string[] {
  const known = writtenBy.get(sql);
  if (known !== undefined) return known;
  const tables = [...sql.matchAll(WRITING)].map(([, table = '']) => table);
  writtenBy.set(sql, tables);
  return tables;
}

/** Tables that are written with every block and every renewal, whether they hold anything of ours or not. */
const ROUTINE: ReadonlySet<string> = new Set(['leases', 'blocks', 'chain_cursors']);

/**
 * PUT_OFF is routine as well. A transaction that waits for an hour is put off some hundred times. A death beside such
 * a write leaves the same as a death beside the effects before and after it, which are all tried.
 */
function isEffect(sql: string, tables: readonly string[]): boolean {
  return sql !== PUT_OFF && tables.some((table) => !ROUTINE.has(table));
}

/** The claim of a notifier that found nothing to do, as most claims do. Then there is nothing to check. */
function isIdleClaim(rows: Rows): boolean {
  const [only, ...more] = rows;
  if (more.length > 0 || typeof only !== 'object' || only === null) return false;
  return 'event_id' in only && only.event_id === null && 'died' in only && only.died === 0;
}

function away(): Outage {
  return new Outage('the database connection broke', { retryable: true });
}

function showRows(rows: Rows): string {
  return `${rows.length} rows`;
}

function showEnd(outcome: Ended<unknown> | 'entered'): string {
  if (outcome === 'entered') return '';
  return outcome.ok ? 'done' : 'failed';
}

const briefs = new Map<string, string>();

/** The first words of a statement, for the trace. */
function brief(sql: string): string {
  const known = briefs.get(sql);
  if (known !== undefined) return known;
  const words = sql.trim().replace(/\s+/g, ' ').slice(0, 48);
  briefs.set(sql, words);
  return words;
}
