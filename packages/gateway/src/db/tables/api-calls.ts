// Calls of the API, for the developers of a merchant to look into. They are no part of the books: rows come late, and go.
import type { Tx } from '../postgres/tx.ts';

/** The request of a refused call. Nothing in it is secret. */
export interface KeptRequest {
  readonly timestamp: string | null;
  /** Also null for a valid signature, because a call with a valid signature could be sent again. */
  readonly signature: string | null;
  readonly signatureFits: boolean;
  readonly body: string;
  /** `whole`: byte for byte as received. `cut`: only the beginning. `changed`: parts are hidden, or were no text. */
  readonly bodyIs: 'whole' | 'cut' | 'changed';
}

/** One call, or many that are alike. */
export interface ApiCall {
  /** Time-ordered. */
  readonly callId: string;
  readonly appId: string;
  readonly atMs: number;
  /** The name of an endpoint, or `other`. */
  readonly operation: string;
  /** Method and path. */
  readonly path: string;
  readonly httpStatus: number;
  readonly code: number;
  readonly message: string;
  /** The duration of the call, or of the longest of many. */
  readonly durationMs: number;
  readonly address: string;
  readonly requestId: string;
  readonly bodyBytes: number;
  /** Whether it was signed with the key of the app. */
  readonly isProven: boolean;
  readonly outTradeNo: string | null;
  readonly tradeNo: string | null;
  /** How many calls like this one arrived within a minute; 1 for a single call. */
  readonly calls: number;
  readonly kept: KeptRequest | null;
}

type Value = string | number | boolean | null;

const COLUMNS: readonly (readonly [column: string, type: string, valueOf: (call: ApiCall) => Value])[] = [
  ['call_id', 'text', (call) => call.callId],
  ['app_id', 'text', (call) => call.appId],
  ['at_ms', 'bigint', (call) => call.atMs],
  ['operation', 'text', (call) => call.operation],
  ['path', 'text', (call) => call.path],
  ['http_status', 'integer', (call) => call.httpStatus],
  ['code', 'integer', (call) => call.code],
  ['message', 'text', (call) => call.message],
  ['duration_ms', 'integer', (call) => call.durationMs],
  ['address', 'text', (call) => call.address],
  ['request_id', 'text', (call) => call.requestId],
  ['body_bytes', 'integer', (call) => call.bodyBytes],
  ['is_proven', 'boolean', (call) => call.isProven],
  ['out_trade_no', 'text', (call) => call.outTradeNo],
  ['trade_no', 'text', (call) => call.tradeNo],
  ['calls', 'integer', (call) => call.calls],
  ['sent_timestamp', 'text', ({ kept }) => kept?.timestamp ?? null],
  ['sent_signature', 'text', ({ kept }) => kept?.signature ?? null],
  ['signature_fits', 'boolean', ({ kept }) => kept?.signatureFits ?? null],
  ['sent_body', 'text', ({ kept }) => kept?.body ?? null],
  ['sent_body_is', 'text', ({ kept }) => kept?.bodyIs ?? null],
];

const names = COLUMNS.map(([column]) => column).join(', ');
const arrays = COLUMNS.map(([, type], place) => `$${place + 1}::${type}[]`).join(', ');

// The join drops calls of unknown apps, because a caller can name any app. Calls that are there already are skipped,
// because a batch whose COMMIT was in doubt is sent again.
const INSERT = `
  INSERT INTO api_calls (${names})
  SELECT called.* FROM unnest(${arrays}) AS called (${names}) JOIN apps USING (app_id)
  ON CONFLICT (call_id) DO NOTHING`;

/** Adds calls in one statement. Skips those of unknown apps and those that are there already. */
export async function insertApiCalls(tx: Tx, calls: readonly ApiCall[]): Promise<void> {
  await tx.write(
    INSERT,
    COLUMNS.map(([, , valueOf]) => calls.map(valueOf)),
  );
}

/** Deletes the oldest calls below an id, at most `limit`; returns how many. */
export async function deleteApiCalls(tx: Tx, below: string, limit: number): Promise<number> {
  const [row] = await tx.write<{ deleted: number }>(DELETE, [below, limit]);
  return row?.deleted ?? 0;
}

const DELETE = `
  WITH chosen AS MATERIALIZED (
    SELECT call_id FROM api_calls WHERE call_id < $1::text ORDER BY call_id LIMIT $2::integer FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM api_calls WHERE call_id = ANY (ARRAY(SELECT call_id FROM chosen)) RETURNING 1
  )
  SELECT count(*) AS deleted FROM gone`;
