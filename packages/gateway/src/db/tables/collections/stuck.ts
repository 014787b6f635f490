// Money of an app at deposit addresses that cannot be moved, by currency.
import type { Stuck } from '@ducat/core/ledger/balance';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';

interface StuckRow {
  readonly currency_id: number;
  readonly small: string;
  readonly frozen: string;
}

/** As of the last check of each address. A currency without stuck money is not in the map. */
export async function readStuck(reader: Reader, appId: string): Promise<ReadonlyMap<number, Stuck>> {
  const rows = await reader.read<StuckRow>(
    `SELECT currency_id, coalesce(sum(units) FILTER (WHERE state = 'small'), 0)::text AS small,
       coalesce(sum(units) FILTER (WHERE state = 'frozen'), 0)::text AS frozen
     FROM holdings WHERE app_id = $1 AND state IN ('small', 'frozen') GROUP BY currency_id`,
    [appId],
  );
  return new Map(
    rows.map(({ currency_id: id, small, frozen }) => [
      id,
      { small: fromNumeric(id, small), frozen: fromNumeric(id, frozen) },
    ]),
  );
}
