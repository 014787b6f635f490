// Reads the tables as plain rows, with the simulator's own statements, for the checkers alone.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Reader } from '@ducat/gateway/db/postgres/tx';

export interface OrderRow {
  readonly trade_no: string;
  readonly app_id: string;
  readonly out_trade_no: string;
  readonly chain: string;
  readonly currency_id: number;
  readonly address: string;
  readonly due: string;
  readonly collected: string;
  readonly status: string;
  readonly create_time: number;
  readonly time_expire: number;
}

export interface CursorRow {
  readonly chain: string;
  readonly head_number: number | null;
  readonly final_number: number | null;
  readonly final_time: number | null;
  readonly halted_reason: string | null;
  readonly reorgs: number;
}

export interface TransferRow {
  readonly chain: string;
  readonly tx_id: string;
  readonly position: string;
  readonly state: string;
  readonly disposition: string | null;
  readonly trade_no: string | null;
  readonly block_number: number;
  readonly block_hash: string;
  readonly entries: number;
}

/** What watchers, maintenance and the API change. */
export interface MoneyRows {
  readonly orders: readonly OrderRow[];
  readonly cursors: readonly CursorRow[];
  readonly transfers: readonly TransferRow[];
}

export interface EventRow {
  readonly event_id: string;
  readonly sequence: number;
  readonly trade_no: string;
  readonly app_id: string;
  readonly status: string;
  readonly final: boolean;
  readonly body: string;
  readonly url: string | null;
  readonly state: string;
  readonly attempts: number;
  readonly next_attempt_at_ms: number | null;
  readonly leased_until_ms: number | null;
  readonly created_at_ms: number;
}

export interface AttemptRow {
  readonly event_id: string;
  readonly attempt: number;
  readonly started_at_ms: number;
  readonly duration_ms: number | null;
  readonly outcome: string;
}

/** What notifiers change, and the events that the others write. */
export interface OutboxRows {
  readonly events: readonly EventRow[];
  readonly attempts: readonly AttemptRow[];
}

/** Every posting with its entry and account, in the order in which they were booked. */
export interface PostingRow {
  readonly fact: string;
  readonly reference: string;
  readonly kind: string;
  readonly owner: string;
  readonly currency_id: number;
  readonly units: string;
}

export interface AccountRow {
  readonly kind: string;
  readonly owner: string;
  readonly currency_id: number;
  readonly balance: string;
}

export interface AddressRow {
  readonly address: string;
  readonly family: ChainFamily;
  /** Null for the gateway's own addresses. */
  readonly app_id: string | null;
  readonly purpose: string;
  readonly derivation_index: number;
  readonly trade_no: string | null;
}

const CURSORS = `
  SELECT chain, head_number, final_number, final_time, halted_reason,
         (SELECT count(*) FROM reorgs WHERE reorgs.chain = chain_cursors.chain) AS reorgs FROM chain_cursors`;

/** Numbers beyond 2^53 would lose digits in JSON, so amounts go through it as text. */
const MONEY = `
  SELECT
    (SELECT coalesce(json_agg(o ORDER BY trade_no), '[]') FROM (
      SELECT trade_no, app_id, out_trade_no, chain, currency_id, address, due::text, collected::text, status,
             create_time, time_expire FROM orders) AS o) AS orders,
    (SELECT coalesce(json_agg(c ORDER BY chain), '[]') FROM (${CURSORS}) AS c) AS cursors,
    (SELECT coalesce(json_agg(t ORDER BY chain, tx_id, position), '[]') FROM (
      SELECT chain, tx_id, position, state, disposition, trade_no, block_number, block_hash,
             (SELECT count(*) FROM entries WHERE reference = chain || '/' || tx_id || '/' || position) AS entries
      FROM transfers) AS t) AS transfers`;

const OUTBOX = `
  SELECT
    (SELECT coalesce(json_agg(e ORDER BY sequence), '[]') FROM (
      SELECT event_id, sequence, trade_no, app_id, status, final, body, url, state, attempts, next_attempt_at_ms,
             leased_until_ms, created_at_ms
      FROM events) AS e) AS events,
    (SELECT coalesce(json_agg(a ORDER BY event_id, attempt), '[]') FROM (
      SELECT event_id, attempt, started_at_ms, duration_ms, outcome FROM delivery_attempts) AS a) AS attempts`;

const NOTHING_FOUND = 'a statement without FROM gave no row';

export async function readMoney(reader: Reader): Promise<MoneyRows> {
  const [row] = await reader.read<MoneyRows>(MONEY, []);
  if (row === undefined) throw new Error(NOTHING_FOUND);
  return row;
}

export async function readCursors(reader: Reader): Promise<readonly CursorRow[]> {
  return reader.read(`${CURSORS} ORDER BY chain`, []);
}

export async function readOutbox(reader: Reader): Promise<OutboxRows> {
  const [row] = await reader.read<OutboxRows>(OUTBOX, []);
  if (row === undefined) throw new Error(NOTHING_FOUND);
  return row;
}

export async function readPostings(reader: Reader): Promise<readonly PostingRow[]> {
  return reader.read(
    `SELECT e.fact, e.reference, a.kind, a.owner, p.currency_id, p.units::text
     FROM entries e LEFT JOIN postings p USING (entry_id) LEFT JOIN accounts a USING (account_id)
     ORDER BY e.entry_id, a.kind, a.owner, p.currency_id, p.units`,
    [],
  );
}

export async function readAccounts(reader: Reader): Promise<readonly AccountRow[]> {
  return reader.read(
    'SELECT kind, owner, currency_id, balance::text FROM accounts ORDER BY kind, owner, currency_id',
    [],
  );
}

export async function readAddresses(reader: Reader): Promise<readonly AddressRow[]> {
  return reader.read(
    'SELECT address, family, app_id, purpose, derivation_index, trade_no FROM addresses ORDER BY family, address',
    [],
  );
}

/** The holder of each lease now; null for a free one. */
export async function readLeases(reader: Reader): Promise<readonly (string | null)[]> {
  const rows = await reader.read<{ readonly holder: string | null }>('SELECT holder FROM leases', []);
  return rows.map(({ holder }) => holder);
}
