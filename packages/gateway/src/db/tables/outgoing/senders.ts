// Senders: one for each address of ours that sends on a chain. Nonces are given out here and nowhere else.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Sender {
  readonly senderId: number;
  readonly chain: string;
  /** The sending address. */
  readonly address: string;
  /** Null before the nonce of the account was read. */
  readonly nextNonce: number | null;
  /** All nonces below it are spent by final blocks. */
  readonly finalNonce: number | null;
  readonly stoppedReason: string | null;
  /**
   * The lowest nonce of a transaction that is not final; null if there is none. A transaction that skipped blocks may
   * hold is left out once its nonce is spent, because nothing will prove what became of it.
   */
  readonly lowestOpen: number | null;
  /** Transactions with a nonce that are not final. */
  readonly inFlight: number;
  /** How many of the transactions in flight no block of the books holds. */
  readonly pending: number;
}

/** SQL: the senders of `rows`, a table or a select of them. */
const sendersOf = (rows: string) => `
  SELECT l.sender_id AS "senderId", l.chain, d.address, l.next_nonce AS "nextNonce", l.final_nonce AS "finalNonce",
    l.stopped_reason AS "stoppedReason", work.lowest AS "lowestOpen",
    work.in_flight AS "inFlight", work.pending
  FROM ${rows} AS l JOIN addresses d USING (address_id), LATERAL (
    SELECT min(nonce) FILTER (WHERE NOT stuck) AS lowest, (count(nonce) FILTER (WHERE NOT stuck))::integer AS in_flight,
      (count(nonce) FILTER (WHERE NOT stuck AND NOT included))::integer AS pending
    FROM outgoing_transactions o, LATERAL (SELECT o.may_be_unread AND coalesce(o.nonce < l.final_nonce, false) AS stuck,
      EXISTS (SELECT FROM outgoing_variants v JOIN inclusions i USING (chain, tx_id)
        WHERE v.outgoing_id = o.outgoing_id) AS included) AS s
    WHERE o.sender_id = l.sender_id AND o.next_at_ms IS NOT NULL) AS work`;

/** OFFSET keeps the planner from reading all senders: it does not know how few are at work. */
const AT_WORK = `(
  SELECT s.* FROM (
    SELECT DISTINCT sender_id FROM outgoing_transactions WHERE chain = $1 AND next_at_ms IS NOT NULL
    ORDER BY sender_id LIMIT $2) AS working
  CROSS JOIN LATERAL (SELECT * FROM senders WHERE sender_id = working.sender_id OFFSET 0) AS s)`;

const STOPPED_FIRST = '(SELECT * FROM senders ORDER BY (stopped_reason IS NULL), sender_id LIMIT $1)';

const ONE = '(SELECT * FROM senders WHERE sender_id = $1)';

/** The senders of a chain with open transactions, at most `limit`. The others, one for each emptied address, are not read. */
export function readSendersAtWork(
  reader: Reader,
  { chain, limit }: { readonly chain: string; readonly limit: number },
): Promise<readonly Sender[]> {
  return reader.read<Sender>(`${sendersOf(AT_WORK)} ORDER BY l.sender_id`, [chain, limit]);
}

/** The senders of all chains, stopped ones first, at most `limit`. */
export function listSenders(reader: Reader, limit: number): Promise<readonly Sender[]> {
  return reader.read<Sender>(`${sendersOf(STOPPED_FIRST)} ORDER BY (l.stopped_reason IS NULL), l.sender_id`, [
    limit,
  ]);
}

/** One sender; null where there is none of that number. */
export async function findSender(reader: Reader, senderId: number): Promise<Sender | null> {
  const [sender] = await reader.read<Sender>(sendersOf(ONE), [senderId]);
  return sender ?? null;
}

/** The sender of an address, made where there is none; null where the address is not ours. */
export async function ensureSender(
  tx: Tx,
  { chain, family, address }: { readonly chain: string; readonly family: string; readonly address: string },
): Promise<number | null> {
  await tx.write(
    `INSERT INTO senders (chain, address_id) SELECT $1, address_id FROM addresses WHERE family = $2 AND address = $3
     ON CONFLICT DO NOTHING`,
    [chain, family, address],
  );
  const [row] = await tx.read<{ senderId: number }>(
    `SELECT sender_id AS "senderId" FROM senders JOIN addresses USING (address_id)
     WHERE chain = $1 AND family = $2 AND address = $3`,
    [chain, family, address],
  );
  return row?.senderId ?? null;
}

/** One sender, locked until the transaction ends. */
export async function lockSender(tx: Tx, senderId: number): Promise<Sender | null> {
  await tx.read('SELECT FROM senders WHERE sender_id = $1 FOR UPDATE', [senderId]);
  return findSender(tx, senderId);
}

/** Starts the nonces at the account's present one; false if they were started before. */
export async function setFirstNonce(tx: Tx, senderId: number, nonce: number): Promise<boolean> {
  const rows = await tx.write(
    'UPDATE senders SET next_nonce = $2, final_nonce = $2 WHERE sender_id = $1 AND next_nonce IS NULL RETURNING sender_id',
    [senderId, nonce],
  );
  return rows.length > 0;
}

/** Takes the `count` lowest nonces that no transaction has. A nonce that was given back is given out again first. */
export async function takeNonces(tx: Tx, senderId: number, count: number): Promise<readonly number[]> {
  const rows = await tx.write<{ nonce: number }>(
    `WITH free AS (
       SELECT n AS nonce FROM senders l, generate_series(l.final_nonce, l.next_nonce + $2 - 1) AS n
       WHERE l.sender_id = $1 AND NOT EXISTS (SELECT FROM outgoing_transactions o WHERE o.sender_id = $1 AND o.nonce = n)
       ORDER BY n LIMIT $2
     ), raised AS (
       UPDATE senders SET next_nonce = greatest(next_nonce, (SELECT max(nonce) + 1 FROM free)) WHERE sender_id = $1
     ) SELECT nonce FROM free ORDER BY nonce`,
    [senderId, count],
  );
  return rows.map(({ nonce }) => nonce);
}

/** Takes `count` times in a row, in milliseconds, each later than all that were taken before; returns the first. */
export async function takeTimestamps(
  tx: Tx,
  senderId: number,
  count: number,
  nowMs: number,
): Promise<number> {
  const [row] = await tx.write<{ last: number }>(
    `UPDATE senders SET last_timestamp_ms = greatest(last_timestamp_ms, $3::bigint - 1) + $2::integer WHERE sender_id = $1
     RETURNING last_timestamp_ms AS last`,
    [senderId, count, nowMs],
  );
  return (row?.last ?? nowMs + count - 1) - count + 1;
}

/** Stops a sender until an operator lets it go on. A reason that is already set stays. */
export async function setStopped(tx: Tx, senderId: number, reason: string, nowMs: number): Promise<void> {
  await tx.write(
    `UPDATE senders SET stopped_reason = $2, stopped_at_ms = $3 WHERE sender_id = $1 AND stopped_reason IS NULL`,
    [senderId, reason, nowMs],
  );
}

/** Lets a sender go on, with nonces of at least `nonce`. False if it was not stopped, or for another reason than this. */
export async function clearStopped(
  tx: Tx,
  senderId: number,
  { nonce, reason }: { readonly nonce: number; readonly reason: string },
): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE senders SET stopped_reason = NULL, stopped_at_ms = NULL,
       final_nonce = greatest(final_nonce, $2), next_nonce = greatest(next_nonce, $2)
     WHERE sender_id = $1 AND stopped_reason = $3 RETURNING sender_id`,
    [senderId, nonce, reason],
  );
  return rows.length > 0;
}

/** Counts nonces as spent by final blocks: for each sender all below the given one. */
export async function raiseFinalNonces(tx: Tx, spent: ReadonlyMap<number, number>): Promise<void> {
  if (spent.size === 0) return;
  await tx.write(
    `UPDATE senders SET final_nonce = greatest(final_nonce, s.nonce), next_nonce = greatest(next_nonce, s.nonce)
     FROM unnest($1::bigint[], $2::bigint[]) AS s (sender_id, nonce) WHERE senders.sender_id = s.sender_id`,
    [[...spent.keys()], [...spent.values()]],
  );
}
