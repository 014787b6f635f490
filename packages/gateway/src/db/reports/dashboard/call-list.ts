// Calls of the API of several apps, newest first, in pages; and one call with its kept request.
import type { Reader, SqlValue } from '../../postgres/tx.ts';
import type { ApiCall } from '../../tables/api-calls.ts';
import { oneOf } from '../../tables/one-of.ts';
import { readLookedThrough } from './looked-through.ts';
import { rowsLookedAt } from './rows-looked-at.ts';

export interface CallFilter {
  readonly appIds: readonly string[];
  readonly isRefused?: boolean | undefined;
  readonly operation?: string | undefined;
  /** The number of an order, a payout or a request that a call names. */
  readonly named?: string | undefined;
  /** Only calls before this id, and from the id `from` on. */
  readonly before: string;
  readonly from: string;
  readonly limit: number;
}

export type ListedCall = Omit<ApiCall, 'kept'>;

export interface CallPage {
  readonly calls: readonly ListedCall[];
  /** Set if the page ended before it was full: calls from this one on were searched, older ones were not. */
  readonly searchedTo: string | null;
}

const COLUMNS = `call_id AS "callId", app_id AS "appId", at_ms AS "atMs", operation, path, http_status AS "httpStatus", code,
  message, duration_ms AS "durationMs", address, request_id AS "requestId", body_bytes AS "bodyBytes",
  is_proven AS "isProven", out_trade_no AS "outTradeNo", trade_no AS "tradeNo", calls`;
const SPAN = `${oneOf('app_id', 'w.id')} AND call_id < $2 AND call_id >= $3`;
// A name is found by its own index. To the planner a span of ids looks smaller than it is, so it is kept from that index.
const NAMED_SPAN = `${oneOf('app_id', 'w.id')} AND call_id || '' < $2 AND call_id || '' >= $3`;
const NAMES = ['out_trade_no', 'trade_no', 'request_id'] as const;

/** One page of a list. With an operation, a bounded number of rows is searched. */
export async function pageOfCalls(reader: Reader, filter: CallFilter): Promise<CallPage> {
  const { appIds, operation, before, from, limit } = filter;
  const values: SqlValue[] = [appIds, before, from, limit];
  const parameter = (value: SqlValue) => `$${values.push(value)}`;
  const lists = listsOf(filter, parameter);
  if (operation === undefined)
    return { calls: await reader.read<ListedCall>(pageIn(lists, '$4', 'true'), values), searchedTo: null };
  const depth = rowsLookedAt({ lists: appIds.length * lists.length, limit });
  const found = pageIn(lists, parameter(depth), `operation = ${parameter(operation)}`);
  const floor = floorOf(lists, parameter(depth - 1));
  const look = { found, floor, id: 'callId', values, limit };
  const { rows: calls, searchedTo } = await readLookedThrough<ListedCall>(reader, look);
  return { calls, searchedTo };
}

/** The calls of an app, or those of one name, in the order of an index. */
interface List {
  readonly where: string;
  readonly order: string;
}

function listsOf({ named, isRefused }: CallFilter, parameter: (value: SqlValue) => string): readonly List[] {
  const refused = isRefused === true ? ' AND code <> 0' : '';
  if (named === undefined) return [{ where: `${SPAN}${refused}`, order: 'app_id DESC, call_id DESC' }];
  const name = parameter(named);
  return NAMES.map((column) => ({
    where: `${NAMED_SPAN} AND ${column} = ${name}${notBefore(column, name)}${refused}`,
    order: `app_id DESC, ${column} DESC, call_id DESC`,
  }));
}

/** SQL: the oldest call that was searched, if there are more. */
function floorOf(lists: readonly List[], depth: string): string {
  return `SELECT max(call_id) AS floor FROM ${inEachApp(
    lists.map(
      ({ where, order }) =>
        `SELECT call_id FROM api_calls WHERE ${where} ORDER BY ${order} OFFSET ${depth} LIMIT 1`,
    ),
  )}`;
}

/** SQL: searches `rows` rows of each list by the condition `late`. */
function pageIn(lists: readonly List[], rows: string, late: string): string {
  return `SELECT ${COLUMNS} FROM ${inEachApp(
    lists.map(
      ({ where, order }) => `
        SELECT * FROM (SELECT * FROM api_calls WHERE ${where} ORDER BY ${order} LIMIT ${rows}) AS looked
        WHERE ${late} ORDER BY call_id DESC LIMIT $4`,
    ),
  )} ORDER BY call_id DESC LIMIT $4`;
}

function inEachApp(lists: readonly string[]): string {
  const all = lists.map((list) => `(${list})`).join(' UNION ALL ');
  return `unnest($1::text[]) AS w (id) CROSS JOIN LATERAL (${all}) AS listed`;
}

/** Keeps a call that has the name in two columns in one list only. */
function notBefore(column: (typeof NAMES)[number], value: string): string {
  return NAMES.slice(0, NAMES.indexOf(column))
    .map((earlier) => ` AND ${earlier} IS DISTINCT FROM ${value}`)
    .join('');
}

/** One call of these apps; null for any other. */
export async function findCall(
  reader: Reader,
  appIds: readonly string[],
  callId: string,
): Promise<ApiCall | null> {
  const [row] = await reader.read<ListedCall & KeptRow>(
    `SELECT ${COLUMNS}, sent_timestamp, sent_signature, signature_fits, sent_body, sent_body_is
     FROM api_calls WHERE call_id = $1 AND app_id = ANY ($2::text[])`,
    [callId, appIds],
  );
  if (row === undefined) return null;
  const { sent_timestamp: timestamp, sent_signature: signature, signature_fits: fits, ...rest } = row;
  const { sent_body: body, sent_body_is: bodyIs, ...call } = rest;
  const kept =
    body === null || bodyIs === null
      ? null
      : { timestamp, signature, signatureFits: fits === true, body, bodyIs };
  return { ...call, kept };
}

interface KeptRow {
  readonly sent_timestamp: string | null;
  readonly sent_signature: string | null;
  readonly signature_fits: boolean | null;
  readonly sent_body: string | null;
  readonly sent_body_is: 'whole' | 'cut' | 'changed' | null;
}
