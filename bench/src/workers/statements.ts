// The floor of the API: statements like those of the gateway through the same driver, and nothing around them.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { type Driven, drive } from '../drive.ts';
import { serveParent } from '../worker.ts';

/** A statement as the gateway sends it, with sample values. */
export interface Recorded {
  readonly sql: string;
  readonly values: readonly unknown[];
}

let pool: pg.Pool | null = null;
let concurrency = 0;
let written = 0;

const handlers = {
  async connect({ url, connections }: { url: string; connections: number }): Promise<void> {
    await pool?.end();
    const opened = new pg.Pool({ connectionString: url, max: connections });
    pool = opened;
    concurrency = connections;
    const clients = await Promise.all(Array.from({ length: connections }, () => opened.connect()));
    for (const client of clients) client.release();
  },
  /** Runs the writing statement again and again, each time with a new unique number at the given places. */
  async write({
    statement,
    places,
    seconds,
  }: {
    statement: Recorded;
    places: readonly number[];
    seconds: number;
  }): Promise<Driven> {
    return drive(concurrency, seconds, async () => {
      written += 1;
      const values = [...statement.values];
      for (const place of places) values[place] = `floor-${process.pid}-${written}`;
      await query(statement.sql, values);
    });
  },
  /** Runs the reading statement again and again, with one key after the other at `place`. */
  async read({
    statement,
    place,
    keys,
    seconds,
  }: {
    statement: Recorded;
    place: number;
    keys: readonly string[];
    seconds: number;
  }): Promise<Driven> {
    let next = 0;
    return drive(concurrency, seconds, async () => {
      next = (next + 1) % keys.length;
      const values = [...statement.values];
      values[place] = keys[next];
      await query(statement.sql, values);
    });
  },
};

export type Statements = typeof handlers;

/** Runs a prepared statement, as the gateway's own statements are prepared. */
async function query(sql: string, values: readonly unknown[]): Promise<void> {
  const name = createHash('md5').update(sql).digest('hex');
  const result = await pool?.query({ text: sql, values: [...values], name });
  if (result?.rows.length !== 1) throw new Error(`the floor's statement gave ${result?.rows.length} rows`);
}

serveParent(handlers);
