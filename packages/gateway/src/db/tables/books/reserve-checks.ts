// How far the balances of our addresses were compared with a chain: one row for each currency, none for an address.
import type { PartTimes, Round } from '@ducat/core/reserves/plan';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface ReserveCheck {
  readonly chain: string;
  readonly currencyId: number;
  /** When the first round of the currency began, Unix milliseconds. */
  readonly beganMs: number;
  /** Addresses that a final transfer up to this block touched were compared after it. */
  readonly touchedUntil: number;
  readonly round: Round;
  /** Addresses compared in this round. */
  readonly roundChecked: number;
  /** Addresses compared in the last whole round; null before the first. */
  readonly lastRoundChecked: number | null;
  readonly parts: PartTimes;
  /** Why the last attempt failed; null where it worked. */
  readonly trouble: string | null;
  readonly troubleSinceMs: number | null;
}

interface CheckRow {
  readonly chain: string;
  readonly currency_id: number;
  readonly began_ms: number;
  readonly touched_until: number;
  readonly round_started_ms: number;
  readonly round_position: number;
  readonly round_end: number;
  readonly round_checked: number;
  readonly last_round_checked: number | null;
  readonly parts_ms: PartTimes;
  readonly trouble: string | null;
  readonly trouble_since_ms: number | null;
}

/** All rows, or those of one chain, by currency. */
export async function readReserveChecks(reader: Reader, chain?: string): Promise<readonly ReserveCheck[]> {
  const rows = await reader.read<CheckRow>(
    `${CHECK} WHERE $1::text IS NULL OR chain = $1 ORDER BY chain, currency_id`,
    [chain ?? null],
  );
  return rows.map(toCheck);
}

/** The row of one currency, locked until the transaction ends; null where there is none. */
export async function lockReserveCheck(
  tx: Tx,
  chain: string,
  currencyId: number,
): Promise<ReserveCheck | null> {
  const rows = await tx.read<CheckRow>(`${CHECK} WHERE chain = $1 AND currency_id = $2 FOR UPDATE`, [
    chain,
    currencyId,
  ]);
  return rows[0] === undefined ? null : toCheck(rows[0]);
}

/**
 * Makes rows for the currencies that have none. Transfers up to `touchedUntil` are left to the first round, which
 * begins at once and ends with the newest address.
 */
export async function insertReserveChecks(
  tx: Tx,
  chain: string,
  currencyIds: readonly number[],
  touchedUntil: number,
  nowMs: number,
): Promise<void> {
  await tx.write(
    `INSERT INTO reserve_checks
       (chain, currency_id, began_ms, touched_until, round_started_ms, round_position, round_end)
     SELECT $1, currency_id, $4, $3, $4, 0, ${NEWEST_ADDRESS} FROM unnest($2::integer[]) AS c (currency_id)
     ON CONFLICT DO NOTHING`,
    [chain, currencyIds, touchedUntil, nowMs],
  );
}

/** Deletes the rows of currencies that are no longer compared. */
export async function deleteReserveChecks(tx: Tx, chain: string, keptIds: readonly number[]): Promise<void> {
  await tx.write('DELETE FROM reserve_checks WHERE chain = $1 AND currency_id <> ALL($2::integer[])', [
    chain,
    keptIds,
  ]);
}

/** Begins the next round. */
export async function beginRound(tx: Tx, chain: string, currencyId: number, nowMs: number): Promise<void> {
  await tx.write(
    `UPDATE reserve_checks SET round_started_ms = $3, round_position = 0, round_checked = 0,
       round_end = ${NEWEST_ADDRESS}
     WHERE chain = $1 AND currency_id = $2`,
    [chain, currencyId, nowMs],
  );
}

export interface RoundProgress {
  readonly position: number;
  readonly checked: number;
  readonly parts: PartTimes;
  readonly isEnded: boolean;
}

/** Moves the round on. */
export async function moveRound(
  tx: Tx,
  chain: string,
  currencyId: number,
  { position, checked, parts, isEnded }: RoundProgress,
): Promise<void> {
  await tx.write(
    `UPDATE reserve_checks SET round_position = $3, round_checked = $4, parts_ms = $5::bigint[],
       last_round_checked = CASE WHEN $6 THEN $4 ELSE last_round_checked END
     WHERE chain = $1 AND currency_id = $2`,
    [chain, currencyId, position, checked, parts, isEnded],
  );
}

/** Raises, by currency, the block up to which all touched addresses were compared. The block never goes back. */
export async function moveTouched(tx: Tx, chain: string, until: ReadonlyMap<number, number>): Promise<void> {
  await tx.write(
    `UPDATE reserve_checks c SET touched_until = u.number
     FROM unnest($2::integer[], $3::bigint[]) AS u (currency_id, number)
     WHERE c.chain = $1 AND c.currency_id = u.currency_id AND c.touched_until < u.number`,
    [chain, [...until.keys()], [...until.values()]],
  );
}

/** Writes why an attempt failed, or null after one that worked; the time of the first failure in a row is kept. */
export async function setTrouble(
  tx: Tx,
  chain: string,
  currencyId: number,
  trouble: string | null,
  nowMs: number,
): Promise<void> {
  await tx.write(
    `UPDATE reserve_checks SET trouble = $3,
       trouble_since_ms = CASE WHEN $3::text IS NOT NULL THEN coalesce(trouble_since_ms, $4::bigint) END
     WHERE chain = $1 AND currency_id = $2 AND (trouble IS NOT NULL OR $3::text IS NOT NULL)`,
    [chain, currencyId, trouble, nowMs],
  );
}

// The driver gives arrays of bigint as texts.
const CHECK = `
  SELECT chain, currency_id, began_ms, touched_until, round_started_ms, round_position, round_end, round_checked,
    last_round_checked, to_jsonb(parts_ms) AS parts_ms, trouble, trouble_since_ms
  FROM reserve_checks`;

const NEWEST_ADDRESS = '(SELECT coalesce(max(address_id), 0) FROM addresses)';

function toCheck(row: CheckRow): ReserveCheck {
  return {
    chain: row.chain,
    currencyId: row.currency_id,
    beganMs: row.began_ms,
    touchedUntil: row.touched_until,
    round: { startedMs: row.round_started_ms, position: row.round_position, end: row.round_end },
    roundChecked: row.round_checked,
    lastRoundChecked: row.last_round_checked,
    parts: row.parts_ms,
    trouble: row.trouble,
    troubleSinceMs: row.trouble_since_ms,
  };
}
