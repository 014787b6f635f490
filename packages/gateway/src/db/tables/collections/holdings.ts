// Holdings: what a deposit address received of a currency and still has. A row for each, until all of it was collected.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';
import type { Reader, SqlValue, Tx } from '../../postgres/tx.ts';
import { fromNumeric, toNumeric } from '../amounts.ts';
import { notQuarantined } from '../outgoing/not-quarantined.ts';
import { isReturning } from './stake-places.ts';
import type { QuarantinedItem } from '../outgoing/quarantines.ts';
import { isCounterpart } from '../transfers/reversals.ts';
import { identityLists } from '../transfers/transfer-row.ts';

export type HoldingState = 'waiting' | 'small' | 'frozen' | 'collecting';

export interface HoldingKey {
  readonly chain: string;
  readonly addressId: number;
  readonly currencyId: number;
}

export interface DueHolding extends HoldingKey {
  readonly address: string;
  readonly appId: string;
  /** The place of the address below the seed. */
  readonly account: number;
  readonly index: number;
  readonly sinceMs: number;
  /** How many deposits arrived. A check decides nothing about a deposit that arrives after it. */
  readonly arrivals: number;
  /** Final at the address by the books: in the currency, and in the native currency. */
  readonly held: Amount;
  readonly nativeHeld: Amount;
  /** Whether a collection of the address is under way, because its coin pays for one at a time. */
  readonly isBusy: boolean;
  /**
   * Whether the address belongs to an ended order in a token of this chain, and no payer is asked for coin there any more.
   */
  readonly isOfTokens: boolean;
  /** Whether the address ever was a sender on the chain. Its nonces are counted from then on. */
  readonly isSender: boolean;
  /** How many collections of the holding in a row moved nothing. */
  readonly failures: number;
  /** The least value that the merchant wants moved, in 10^-6 USDT; 0 if the merchant set none. */
  readonly minOperableValue: bigint;
}

interface DueRow {
  readonly chain: string;
  readonly address_id: number;
  readonly currency_id: number;
  readonly address: string;
  readonly app_id: string;
  readonly account: number;
  readonly derivation_index: number;
  readonly since_ms: number;
  readonly arrivals: number;
  readonly held: string;
  readonly native_held: string;
  readonly is_busy: boolean;
  readonly is_of_tokens: boolean;
  readonly is_sender: boolean;
  readonly failures: number;
  readonly min_operable_value: string | null;
}

/**
 * Notes deposits that became final. A deposit that arrives during a collection of its holding is checked afterwards.
 * Coin that the gateway itself sent there for gas is no deposit, and makes no holding. The counterpart of a collection does,
 * because it brings the deposit back to its address.
 */
export async function noteHoldings(
  tx: Tx,
  received: readonly Pick<Transfer, 'chain' | 'txId' | 'position'>[],
  nowMs: number,
): Promise<void> {
  if (received.length === 0) return;
  await tx.write(
    `INSERT INTO holdings AS h (chain, address_id, currency_id, app_id, since_ms, next_at_ms)
     SELECT DISTINCT t.chain, d.address_id, t.currency_id, d.app_id, $4::bigint, $4::bigint
     FROM unnest($1::text[], $2::text[], $3::text[]) AS i (chain, tx_id, position)
       JOIN transfers t USING (chain, tx_id, position)
       JOIN addresses d ON d.address_id = t.address_id AND d.purpose <> 'wallet'
     WHERE t.from_address_id IS NULL OR ${isCounterpart('t')}
     ORDER BY 1, 2, 3
     ON CONFLICT (chain, address_id, currency_id) DO UPDATE SET arrivals = h.arrivals + 1,
       next_at_ms = CASE WHEN h.state IN ('waiting', 'small') AND h.failures = 0 THEN excluded.next_at_ms
         ELSE h.next_at_ms END`,
    [...identityLists(received), nowMs],
  );
}

/** SQL: what is final at an address by the books. `address` and `currency` are expressions, the chain is $1. */
const heldAt = (address: string, currency: string): string => `
  (SELECT coalesce(sum(units), 0) FROM (
    SELECT units FROM transfers WHERE address_id = ${address} AND chain = $1 AND currency_id = ${currency}
      AND state = 'final'
    UNION ALL
    SELECT -units FROM transfers WHERE from_address_id = ${address} AND chain = $1 AND currency_id = ${currency}
      AND state = 'final'
    UNION ALL
    SELECT -fee FROM inclusions WHERE address_id = ${address} AND chain = $1 AND currency_id = ${currency} AND final
  ) AS moved)::text`;

/**
 * SQL: whether address `d` belongs to an ended order in a token of chain $1, was never shown for coin, and never
 * received any. Each order that showed it counts, because a payer may pay late. `native` is an expression.
 */
// mark: what-was-shown-for-coin-takes-coin
const ofTokens = (native: string): string => `
  (EXISTS (SELECT FROM orders o WHERE o.trade_no = d.trade_no AND o.address_id = d.address_id AND o.chain = $1
    AND o.currency_id <> ${native} AND o.status <> 'TO-BE-PAID')
  AND NOT EXISTS (SELECT FROM orders o WHERE o.address_id = d.address_id AND o.currency_id = ${native}
    AND o.currency_id % 1000 = 0)
  AND NOT EXISTS (SELECT FROM currency_choices c WHERE c.address_id = d.address_id AND c.currency_id = ${native}
    AND c.currency_id % 1000 = 0)
  AND NOT EXISTS (SELECT FROM transfers t WHERE t.address_id = d.address_id AND t.chain = $1
    AND t.currency_id = ${native} AND t.from_address_id IS NULL))`;

export interface HoldingQuery {
  readonly chain: string;
  readonly nativeId: number;
  readonly nowMs: number;
  readonly limit: number;
  /**
   * Currencies that payouts wait for. Their holdings that were last checked before `lookedBeforeMs` are due too, even
   * if their next check is later.
   */
  readonly demands: readonly Demand[];
  readonly lookedBeforeMs: number;
}

/** A currency of an app. */
export interface Demand {
  readonly appId: string;
  readonly currencyId: number;
}

/** Holdings whose next check is due, the longest due first. */
export async function readDueHoldings(
  reader: Reader,
  { chain, nativeId, nowMs, limit, demands, lookedBeforeMs }: HoldingQuery,
): Promise<readonly DueHolding[]> {
  const rows = await reader.read<DueRow>(DUE, [
    chain,
    nowMs,
    nativeId,
    limit,
    lookedBeforeMs,
    demands.map(({ appId }) => appId),
    demands.map(({ currencyId }) => currencyId),
  ]);
  return rows.map((row) => toDue(chain, nativeId, row));
}

/** The name of a holding in the quarantine. */
export function holdingItem({ chain, addressId, currencyId }: HoldingKey): QuarantinedItem {
  return { kind: 'holding', id: `${chain}/${addressId}/${currencyId}` };
}

const NOT_QUARANTINED = notQuarantined(
  'holding',
  "w.chain || '/' || w.address_id || '/' || w.currency_id",
  '$2',
);

// Two searches, each by its index. A token comes before the coin that pays for it.
const DUE = `
  SELECT h.*, d.address, d.derivation_index, a.account, a.min_operable_value, ${heldAt('h.address_id', 'h.currency_id')} AS held,
    ${heldAt('h.address_id', '$3')} AS native_held,
    EXISTS (SELECT FROM collections c WHERE c.chain = h.chain AND c.address_id = h.address_id
      AND (c.ended_at_ms IS NULL OR c.return_at_ms IS NOT NULL))
      OR ${isReturning('h.chain', 'd.address')} AS is_busy,
    ${ofTokens('$3')} AS is_of_tokens,
    EXISTS (SELECT FROM senders s WHERE s.chain = h.chain AND s.address_id = h.address_id) AS is_sender
  FROM (
    SELECT * FROM (
      (SELECT * FROM holdings w WHERE chain = $1 AND next_at_ms <= $2 AND ${NOT_QUARANTINED}
         ORDER BY next_at_ms LIMIT $4)
      UNION
      (SELECT w.* FROM unnest($6::text[], $7::integer[]) AS n (app_id, currency_id)
         JOIN holdings w USING (app_id, currency_id)
       WHERE w.chain = $1 AND w.state IN ('waiting', 'small') AND w.failures = 0 AND w.looked_at_ms <= $5
         AND ${NOT_QUARANTINED} LIMIT $4)
    ) AS either ORDER BY next_at_ms, address_id LIMIT $4) AS h
    JOIN addresses d USING (address_id) JOIN apps a ON a.app_id = h.app_id
  ORDER BY h.next_at_ms, h.address_id, h.currency_id DESC`;

function toDue(chain: string, nativeId: number, row: DueRow): DueHolding {
  return {
    chain,
    addressId: row.address_id,
    currencyId: row.currency_id,
    address: row.address,
    appId: row.app_id,
    account: row.account,
    index: row.derivation_index,
    sinceMs: row.since_ms,
    arrivals: row.arrivals,
    held: fromNumeric(row.currency_id, row.held),
    nativeHeld: fromNumeric(nativeId, row.native_held),
    isBusy: row.is_busy,
    isOfTokens: row.is_of_tokens,
    isSender: row.is_sender,
    failures: row.failures,
    minOperableValue: row.min_operable_value === null ? 0n : BigInt(row.min_operable_value),
  };
}

export interface LockedHolding {
  readonly held: Amount;
  readonly nativeHeld: Amount;
}

/** A holding that is not being collected, locked, with what is final there now; null if it is gone or being collected. */
export async function lockHolding(
  tx: Tx,
  { chain, addressId, currencyId }: HoldingKey,
  nativeId: number,
): Promise<LockedHolding | null> {
  const locked = await tx.read<{ address_id: number }>(
    `SELECT address_id FROM holdings WHERE chain = $1 AND address_id = $2 AND currency_id = $3
       AND state <> 'collecting' FOR UPDATE`,
    [chain, addressId, currencyId],
  );
  if (locked.length === 0) return null;
  // A second statement, because the one that waited for the lock would sum up with its older snapshot.
  const [row] = await tx.read<{ held: string; native_held: string }>(
    `SELECT ${heldAt('$2', '$3')} AS held, ${heldAt('$2', '$4')} AS native_held`,
    [chain, addressId, currencyId, nativeId],
  );
  return row === undefined
    ? null
    : { held: fromNumeric(currencyId, row.held), nativeHeld: fromNumeric(nativeId, row.native_held) };
}

/** Whether the holding's address still takes no coin. The address keeps its order until the transaction ends. */
export async function lockAddressOfTokens(
  tx: Tx,
  { chain, addressId }: HoldingKey,
  nativeId: number,
): Promise<boolean> {
  await tx.read('SELECT FROM addresses WHERE address_id = $1 FOR SHARE', [addressId]);
  // Two statements, as above.
  const rows = await tx.read(`SELECT FROM addresses d WHERE d.address_id = $2 AND ${ofTokens('$3')}`, [
    chain,
    addressId,
    nativeId,
  ]);
  return rows.length > 0;
}

/** A holding as a check found it. */
export type LookedAt = HoldingKey & Pick<DueHolding, 'arrivals' | 'held'>;

/** What a check decided. */
export interface HoldingLook {
  readonly holding: LookedAt;
  readonly state: Exclude<HoldingState, 'collecting'>;
  readonly nextAtMs: number;
  readonly reason: string | null;
}

/** Writes the decisions. Skips holdings that are being collected, and those that got a deposit meanwhile. */
export async function putOffHoldings(tx: Tx, looks: readonly HoldingLook[], nowMs: number): Promise<void> {
  if (looks.length === 0) return;
  await tx.write(
    `UPDATE holdings h SET state = l.state, units = greatest(l.units, 0), next_at_ms = l.next_at_ms, reason = l.reason,
       looked_at_ms = $9
     FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::numeric[], $6::text[], $7::bigint[],
       $8::text[]) AS l (chain, address_id, currency_id, arrivals, units, state, next_at_ms, reason)
     WHERE ${SAME('l')}`,
    [
      ...lookedAtLists(looks.map(({ holding }) => holding)),
      looks.map(({ holding }) => toNumeric(holding.held)),
      looks.map(({ state }) => state),
      looks.map(({ nextAtMs }) => nextAtMs),
      looks.map(({ reason }) => reason),
      nowMs,
    ],
  );
}

/** Deletes holdings with nothing left to collect. */
export async function dropHoldings(tx: Tx, holdings: readonly LookedAt[]): Promise<void> {
  if (holdings.length === 0) return;
  await tx.write(
    `DELETE FROM holdings h USING unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[])
       AS k (chain, address_id, currency_id, arrivals) WHERE ${SAME('k')}`,
    [...lookedAtLists(holdings)],
  );
}

const SAME = (list: string): string => `h.chain = ${list}.chain AND h.address_id = ${list}.address_id
  AND h.currency_id = ${list}.currency_id AND h.arrivals = ${list}.arrivals AND h.state <> 'collecting'`;

function lookedAtLists(holdings: readonly LookedAt[]): readonly [SqlValue, SqlValue, SqlValue, SqlValue] {
  return [
    holdings.map(({ chain }) => chain),
    holdings.map(({ addressId }) => addressId),
    holdings.map(({ currencyId }) => currencyId),
    holdings.map(({ arrivals }) => arrivals),
  ];
}

export async function markCollecting(tx: Tx, { chain, addressId, currencyId }: HoldingKey): Promise<void> {
  await tx.write(
    `UPDATE holdings SET state = 'collecting', next_at_ms = NULL, reason = NULL
     WHERE chain = $1 AND address_id = $2 AND currency_id = $3`,
    [chain, addressId, currencyId],
  );
}

/** How a holding goes on after its collection. */
export interface Afterwards extends HoldingKey {
  readonly state: 'waiting' | 'frozen';
  readonly nextAtMs: number | null;
  readonly reason: string | null;
  /** Failed collections in a row; 0 if the collection moved what it should. */
  readonly failures: number;
}

export async function releaseHolding(tx: Tx, after: Afterwards, nowMs: number): Promise<void> {
  await tx.write(
    `UPDATE holdings SET state = $4, next_at_ms = $5, reason = $6, failures = $7,
       since_ms = CASE WHEN $7 = 0 THEN $8 ELSE since_ms END
     WHERE chain = $1 AND address_id = $2 AND currency_id = $3`,
    [
      after.chain,
      after.addressId,
      after.currencyId,
      after.state,
      after.nextAtMs,
      after.reason,
      after.failures,
      nowMs,
    ],
  );
}

/** Makes a frozen holding due again and resets its failures; false if there is none. */
export async function thaw(
  tx: Tx,
  {
    chain,
    address,
    currencyId,
  }: { readonly chain: string; readonly address: string; readonly currencyId: number },
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE holdings h SET state = 'waiting', failures = 0, reason = NULL, next_at_ms = $4 FROM addresses d
     WHERE d.address_id = h.address_id AND h.chain = $1 AND d.address = $2 AND h.currency_id = $3
       AND h.state = 'frozen' RETURNING h.address_id`,
    [chain, address, currencyId, nowMs],
  );
  return rows.length > 0;
}
