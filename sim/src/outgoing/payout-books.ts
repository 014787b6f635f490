// Reads payouts and outgoing transactions as plain rows, with the simulator's own statements, for the checkers alone.
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import { REFUNDS, type RefundRow } from './refunds/refund-books.ts';

export interface PayoutRow {
  readonly trade_no: string;
  readonly app_id: string;
  readonly idempotency_key: string;
  readonly chain: string;
  readonly currency_id: number;
  readonly to_address: string;
  readonly amount: string;
  readonly service_charge: string;
  readonly gas: string;
  readonly receipt: string;
  readonly reserved: string;
  readonly fee_cap: string;
  readonly status: string;
  /** The account that the payout is taken from: `available` or `unassigned`. */
  readonly source: string;
  /** Whether the second person who was asked declined it. */
  readonly declined: boolean;
  readonly create_time: number;
  readonly needs_approval: boolean;
  readonly is_approved: boolean;
  readonly end_tx_id: string | null;
  readonly end_time: number | null;
  readonly reservations: number;
  readonly payouts: number;
  readonly releases: number;
}

export interface VariantRow {
  readonly outgoing_id: string;
  readonly chain: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly sender_id: number;
  readonly nonce: number | null;
  readonly state: string;
  readonly trouble: string | null;
  readonly next_at_ms: number | null;
  readonly tx_id: string | null;
}

/** A collection whose delegated energy may not be back yet. */
export interface EnergyRow {
  readonly collection_id: string;
  readonly address: string;
  /** Whether the collection has ended. */
  readonly is_over: boolean;
  readonly return_at_ms: number | null;
}

/** One address of a sweep that counts as emptied. */
export interface SweptRow {
  readonly collection_id: string;
  readonly chain: string;
  readonly address: string;
  readonly wallet: string;
  readonly currency_id: number;
  readonly units: string;
  readonly tx_id: string | null;
}

export interface OutgoingRows {
  readonly swept: readonly SweptRow[];
  readonly payouts: readonly PayoutRow[];
  readonly refunds: readonly RefundRow[];
  /** Every outgoing transaction, once for each of its variants; one without a variant stands here once. */
  readonly variants: readonly VariantRow[];
  /** Collections that have not ended. */
  readonly collections: number;
  readonly energy: readonly EnergyRow[];
  /** When the next holding is due; null where none is. */
  readonly holding_ms: number | null;
}

const COUNT = (fact: string): string =>
  `(SELECT count(*) FROM entries WHERE fact = '${fact}' AND reference = trade_no)`;

/** Amounts as text, as in the other rows. */
const OUTGOING = `
  SELECT
    (SELECT coalesce(json_agg(p ORDER BY trade_no), '[]') FROM (
      SELECT trade_no, app_id, idempotency_key, chain, currency_id, to_address, amount::text, service_charge::text,
             gas::text, receipt::text, reserved::text, fee_cap::text, status, source, declined, create_time, needs_approval, end_tx_id, end_time,
             approved_until IS NOT NULL AS is_approved, ${COUNT('reservation')} AS reservations,
             ${COUNT('payout')} AS payouts, ${COUNT('release')} AS releases
      FROM payouts) AS p) AS payouts,
    ${REFUNDS} AS refunds,
    (SELECT coalesce(json_agg(v ORDER BY outgoing_id, ordinal), '[]') FROM (
      SELECT outgoing_id, o.chain, subject_kind, subject_id, sender_id, nonce, state, trouble, next_at_ms, v.ordinal,
             v.tx_id
      FROM outgoing_transactions o LEFT JOIN outgoing_variants v USING (outgoing_id)) AS v) AS variants,
    (SELECT count(*)::integer FROM collections WHERE ended_at_ms IS NULL) AS collections,
    (SELECT coalesce(json_agg(e ORDER BY collection_id), '[]') FROM (
      SELECT collection_id, address, ended_at_ms IS NOT NULL AS is_over, return_at_ms
      FROM collections JOIN addresses USING (address_id) WHERE return_at_ms IS NOT NULL) AS e) AS energy,
    (SELECT coalesce(json_agg(w ORDER BY collection_id), '[]') FROM (
      SELECT collection_id, c.chain, d.address, t.address AS wallet, c.currency_id, c.units::text, o.tx_id
      FROM collections c JOIN addresses d ON d.address_id = c.address_id JOIN addresses t ON t.address_id = c.wallet_id
        JOIN outgoing_transactions o ON o.subject_kind = 'collection' AND o.subject_id = c.sweep_id
      WHERE c.state = 'collected') AS w) AS swept,
    (SELECT min(next_at_ms) FROM holdings) AS holding_ms`;

export async function readOutgoing(reader: Reader): Promise<OutgoingRows> {
  const [row] = await reader.read<OutgoingRows>(OUTGOING, []);
  if (row === undefined) throw new Error('a statement without FROM gave no row');
  return row;
}

export interface StoredBytes {
  readonly bytes: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly status: string | null;
  readonly to_address: string | null;
  readonly receipt: string | null;
  readonly currency_id: number | null;
  /** The most that the transaction may cost. */
  readonly fee_cap: string | null;
}

/** The committed row of a signed transaction; null where there is none. */
export async function readStored(reader: Reader, chain: string, txId: string): Promise<StoredBytes | null> {
  const [row] = await reader.read<StoredBytes>(
    `SELECT v.bytes, o.subject_kind, o.subject_id, p.status, p.to_address, p.receipt::text, p.currency_id,
       o.fee_cap::text
     FROM outgoing_variants v JOIN outgoing_transactions o USING (outgoing_id)
       LEFT JOIN payouts p ON o.subject_kind = 'payout' AND p.trade_no = o.subject_id
     WHERE v.chain = $1 AND v.tx_id = $2`,
    [chain, txId],
  );
  return row ?? null;
}

/** What an app can use of a currency now. */
export async function readAvailable(reader: Reader, appId: string, currencyId: number): Promise<bigint> {
  const [row] = await reader.read<{ readonly balance: string }>(
    `SELECT balance::text FROM accounts WHERE kind = 'available' AND owner = $1 AND currency_id = $2`,
    [appId, currencyId],
  );
  return BigInt(row?.balance ?? 0);
}
