// Everything a merchant's request could change, as one value that two moments can be compared by.
import type { Reader } from '@ducat/gateway/db/postgres/tx';

/** Digest of orders, of the addresses handed out, of apps, events and the ledger. The pool may grow meanwhile. */
export async function databaseState(reader: Reader): Promise<unknown> {
  const [state] = await reader.read(
    `SELECT (SELECT md5(string_agg(o::text, '|' ORDER BY trade_no)) FROM orders o) AS orders,
       (SELECT md5(string_agg(d::text, '|' ORDER BY address_id)) FROM addresses d WHERE trade_no IS NOT NULL) AS taken,
       (SELECT md5(string_agg(a::text, '|' ORDER BY app_id)) FROM apps a) AS apps,
       (SELECT count(*) FROM events) AS events,
       (SELECT count(*) FROM postings) AS postings`,
    [],
  );
  return state;
}
