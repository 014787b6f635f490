// Whether the books agree with themselves and with the chains, and what is held against what is owed.
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';

export interface FoundFinding {
  readonly finding: string;
  readonly foundAtMs: number;
}

export interface FoundDifference {
  readonly chain: string;
  readonly currencyId: number;
  /** Canonical. */
  readonly address: string;
  readonly expected: Amount;
  readonly actual: Amount;
  readonly atBlock: number;
  readonly sinceMs: number;
}

export interface CurrencyReserves {
  readonly currencyId: number;
  readonly held: Amount;
  readonly owed: Amount;
  readonly unassigned: Amount;
  readonly ownFees: Amount;
}

export function readFindings(reader: Reader, limit: number): Promise<readonly FoundFinding[]> {
  return reader.read<FoundFinding>(
    'SELECT finding, found_at_ms AS "foundAtMs" FROM audit_findings ORDER BY found_at_ms DESC, finding LIMIT $1',
    [limit],
  );
}

/** The oldest first. */
export async function readDifferences(reader: Reader, limit: number): Promise<readonly FoundDifference[]> {
  const rows = await reader.read<
    Omit<FoundDifference, 'expected' | 'actual'> & { readonly expected: string; readonly actual: string }
  >(
    `SELECT b.chain, b.currency_id AS "currencyId", d.address, b.expected, b.actual, b.at_block AS "atBlock",
       b.since_ms AS "sinceMs"
     FROM balance_differences b JOIN addresses d USING (address_id) ORDER BY b.since_ms, b.address_id LIMIT $1`,
    [limit],
  );
  return rows.map(({ expected, actual, ...row }) => ({
    ...row,
    expected: fromNumeric(row.currencyId, expected),
    actual: fromNumeric(row.currencyId, actual),
  }));
}

/**
 * Adds up all accounts, because they are only as many as apps and currencies. Custody and cold storage are carried
 * negative.
 */
export async function readReserves(reader: Reader): Promise<readonly CurrencyReserves[]> {
  const rows = await reader.read<{
    readonly id: number;
    readonly held: string;
    readonly owed: string;
    readonly unassigned: string;
    readonly own_fees: string;
  }>(
    `SELECT currency_id AS id,
       coalesce(-sum(balance) FILTER (WHERE kind IN ('custody', 'cold')), 0)::text AS held,
       coalesce(sum(balance) FILTER (WHERE kind IN ('available', 'frozen')), 0)::text AS owed,
       coalesce(sum(balance) FILTER (WHERE kind = 'unassigned'), 0)::text AS unassigned,
       coalesce(sum(balance) FILTER (WHERE kind IN ('fee', 'network-charge', 'network-fee')), 0)::text AS own_fees
     FROM accounts GROUP BY currency_id ORDER BY currency_id`,
    [],
  );
  return rows.map((row) => ({
    currencyId: row.id,
    held: fromNumeric(row.id, row.held),
    owed: fromNumeric(row.id, row.owed),
    unassigned: fromNumeric(row.id, row.unassigned),
    ownFees: fromNumeric(row.id, row.own_fees),
  }));
}

export interface SenderState {
  readonly senderId: number;
  readonly chain: string;
  /** Canonical. */
  readonly address: string;
  readonly nextNonce: number | null;
  readonly finalNonce: number | null;
  readonly stoppedReason: string | null;
  readonly stoppedAtMs: number | null;
}

const SENDERS = `SELECT s.sender_id AS "senderId", s.chain, d.address, s.next_nonce AS "nextNonce",
  s.final_nonce AS "finalNonce", s.stopped_reason AS "stoppedReason", s.stopped_at_ms AS "stoppedAtMs"
  FROM senders s JOIN addresses d USING (address_id)`;

/** Senders of one chain, stopped ones first. */
export function readSenderStates(
  reader: Reader,
  chain: string,
  limit: number,
): Promise<readonly SenderState[]> {
  return reader.read<SenderState>(
    `${SENDERS} WHERE s.chain = $1 ORDER BY (s.stopped_reason IS NULL), s.sender_id LIMIT $2`,
    [chain, limit],
  );
}

/** Stopped senders of all chains, the longest stopped first. */
export function readStoppedSenders(reader: Reader, limit: number): Promise<readonly SenderState[]> {
  return reader.read<SenderState>(
    `${SENDERS} WHERE s.stopped_reason IS NOT NULL ORDER BY s.stopped_at_ms, s.sender_id LIMIT $1`,
    [limit],
  );
}
