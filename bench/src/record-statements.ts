// What a store function sends to the database, recorded once so that a floor can send the same.
import type { Reader, SqlValue, Tx } from '@ducat/gateway/db/postgres/tx';
import type { Recorded } from './workers/statements.ts';

/** Runs work against the database and gives back the statements it sent, in order. */
export async function recordStatements(
  tx: Tx | Reader,
  work: (tx: Tx) => Promise<unknown>,
): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  const through = <Row>(sql: string, values: readonly SqlValue[]) => {
    recorded.push({ sql, values });
    return 'write' in tx ? tx.write<Row>(sql, values) : tx.read<Row>(sql, values);
  };
  // The brand of a Tx exists for the compiler alone.
  await work({ read: through, write: through } as Tx);
  return recorded;
}
