// Rows to audit, a batch at a time, each found by an index.
import type { Reader } from '../../postgres/tx.ts';

/** Rows of a batch. A statement over so many rows takes milliseconds on a table of any size. */
const BATCH = 2_000;

export interface EntryBatch {
  readonly entryIds: readonly number[];
  /** The transfers that the entries name, in three lists. */
  readonly transfers: TransferBatch;
  /** The last entry of the batch. */
  readonly last: number;
}

/** Identities in three lists of one length. */
export interface TransferBatch {
  readonly chains: readonly string[];
  readonly txIds: readonly string[];
  readonly positions: readonly string[];
}

/** The next entries after `after`, up to `upTo`; null if there are none. */
export async function readEntryBatch(
  reader: Reader,
  after: number,
  upTo: number,
): Promise<EntryBatch | null> {
  const rows = await reader.read<{ entry_id: number; reference: string }>(
    `SELECT entry_id, reference FROM entries WHERE entry_id > $1 AND entry_id <= $2 ORDER BY entry_id LIMIT ${BATCH}`,
    [after, upTo],
  );
  const last = rows.at(-1)?.entry_id;
  if (last === undefined) return null;
  const parts = rows.map(({ reference }) => reference.split('/'));
  return {
    entryIds: rows.map(({ entry_id }) => entry_id),
    transfers: {
      chains: parts.map(([chain = '']) => chain),
      txIds: parts.map(([, txId = '']) => txId),
      positions: parts.map(([, , ...position]) => position.join('/')),
    },
    last,
  };
}

/** The final transfers of the next blocks of a chain, whole blocks, and the last block that they cover. */
export async function readTransferBatch(
  reader: Reader,
  chain: string,
  after: number,
  upTo: number,
): Promise<{ readonly transfers: TransferBatch; readonly last: number }> {
  const blocks = await reader.read<{ block_number: number }>(
    `SELECT block_number FROM transfers
     WHERE chain = $1 AND state = 'final' AND block_number > $2 AND block_number <= $3
     ORDER BY block_number LIMIT ${BATCH + 1}`,
    [chain, after, upTo],
  );
  if (blocks.length === 0) return { transfers: { chains: [], txIds: [], positions: [] }, last: upTo };
  const [first, beyond] = [blocks[0]?.block_number ?? upTo, blocks[BATCH]?.block_number];
  const last = beyond === undefined ? upTo : Math.max(first, beyond - 1);
  const rows = await reader.read<{ tx_id: string; position: string }>(
    `SELECT tx_id, position FROM transfers
     WHERE chain = $1 AND state = 'final' AND block_number > $2 AND block_number <= $3`,
    [chain, after, last],
  );
  const transfers = {
    chains: rows.map(() => chain),
    txIds: rows.map((row) => row.tx_id),
    positions: rows.map(({ position }) => position),
  };
  return { transfers, last };
}

/** The orders that these transfers belong to. */
export async function readOrdersOf(
  reader: Reader,
  { chains, txIds, positions }: TransferBatch,
): Promise<readonly string[]> {
  const rows = await reader.read<{ trade_no: string }>(
    `SELECT DISTINCT trade_no FROM transfers WHERE trade_no IS NOT NULL
     AND (chain, tx_id, position) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))`,
    [chains, txIds, positions],
  );
  return rows.map((row) => row.trade_no);
}

/** The next orders by number. */
export async function readOrderBatch(reader: Reader, after: string): Promise<readonly string[]> {
  const rows = await reader.read<{ trade_no: string }>(
    `SELECT trade_no FROM orders WHERE trade_no > $1 ORDER BY trade_no LIMIT ${BATCH}`,
    [after],
  );
  return rows.map((row) => row.trade_no);
}

/** The next subjects of final events by number. */
export async function readFinalEventBatch(reader: Reader, after: string): Promise<readonly string[]> {
  const rows = await reader.read<{ trade_no: string }>(
    `SELECT DISTINCT trade_no FROM (
       SELECT trade_no FROM final_events WHERE trade_no > $1 ORDER BY trade_no LIMIT ${BATCH}) AS page ORDER BY trade_no`,
    [after],
  );
  return rows.map((row) => row.trade_no);
}

/** The next accounts by number. */
export async function readAccountBatch(reader: Reader, after: number): Promise<readonly number[]> {
  const rows = await reader.read<{ account_id: number }>(
    `SELECT account_id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT ${BATCH}`,
    [after],
  );
  return rows.map((row) => row.account_id);
}

/**
 * The block up to which every transfer of a chain is settled and every internal transaction is known; null before
 * anything is final.
 */
export async function readSettledBlock(reader: Reader, chain: string): Promise<number | null> {
  const [row] = await reader.read<{ settled: number | null }>(
    `SELECT least(final_number, searched_number,
       (SELECT min(block_number) - 1 FROM transfers t WHERE t.chain = c.chain AND t.state = 'seen')) AS settled
     FROM chain_cursors c WHERE c.chain = $1`,
    [chain],
  );
  return row?.settled ?? null;
}

/** The sums of the postings of these entries, in base units as text. */
export async function readPostedUnits(
  reader: Reader,
  entryIds: readonly number[],
): Promise<readonly { readonly accountId: number; readonly currencyId: number; readonly units: string }[]> {
  return reader.read(
    `SELECT account_id AS "accountId", currency_id AS "currencyId", sum(units)::text AS units FROM postings
     WHERE entry_id = ANY($1::bigint[]) GROUP BY account_id, currency_id`,
    [entryIds],
  );
}
