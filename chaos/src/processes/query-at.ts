// Runs one statement of the run itself, without the proxies between gateways and database.
import pg from 'pg';

/** Opens a connection for this statement alone. Throws where there is no answer within 20 s. */
export async function queryAt<Row extends object>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, query_timeout: 20_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
