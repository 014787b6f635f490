// The lengths of the queues, counted for metrics.
import type { Reader } from '../postgres/tx.ts';

export interface Depths {
  readonly pendingEvents: number;
  readonly deadEvents: number;
  readonly openOrders: number;
  readonly seenTransfers: number;
  readonly unassignedReceipts: number;
  readonly freeAddresses: number;
}

/** Each count stops at this, so that a scrape costs the same however long a queue has grown. */
const MOST = 100_000;

export async function readDepths(reader: Reader): Promise<Depths> {
  const upTo = (from: string) => `(SELECT count(*) FROM (SELECT FROM ${from} LIMIT ${MOST}) AS counted)`;
  const rows = await reader.read<Depths>(
    `SELECT ${upTo("events WHERE state = 'pending'")} AS "pendingEvents",
       ${upTo("events WHERE state = 'dead'")} AS "deadEvents",
       ${upTo("orders WHERE status = 'TO-BE-PAID'")} AS "openOrders",
       ${upTo("transfers WHERE state = 'seen'")} AS "seenTransfers",
       ${upTo("transfers WHERE disposition = 'unassigned'")} AS "unassignedReceipts",
       ${upTo("addresses WHERE purpose = 'order' AND trade_no IS NULL AND NOT retired")} AS "freeAddresses"`,
    [],
  );
  const [depths] = rows;
  if (depths === undefined) throw new Error('a count gave no row');
  return depths;
}
