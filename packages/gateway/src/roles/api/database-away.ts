// Tells "the database is away" from every other outage, because it alone is answered with 503.
import { Outage } from '../../runtime/outage.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';

/** The database cannot be reached now; asking again later may help. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/** The same reader, whose outages are the database's. */
export function watchReader(reader: Reader): Reader {
  return { read: (sql, values) => orAway(reader.read(sql, values)) };
}

/** The same runner; a flow touches nothing but its transaction, so any outage in it is the database's. */
export function watchTransact(transact: Transact): Transact {
  return (flow, shape) => orAway(transact(flow, shape));
}

async function orAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Outage) throw new DatabaseAway('the database is away', { cause: error });
    throw error;
  }
}
