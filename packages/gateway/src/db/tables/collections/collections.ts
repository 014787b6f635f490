// Collections: each attempt to empty a deposit address of a currency, from its plan to what became of it.
import type { CollectionMethod, PlannedStake } from '@ducat/core/collection/plan';
import type { Amount } from '@ducat/core/money/amount';
import type { OutgoingState } from '@ducat/core/outgoing/outgoing';
import type { EndedStep } from '@ducat/core/collection/after-step';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric, toNumeric } from '../amounts.ts';
import { notQuarantined } from '../outgoing/not-quarantined.ts';
import type { Demand } from './holdings.ts';

export interface NewCollection {
  readonly collectionId: string;
  readonly chain: string;
  readonly addressId: number;
  /** The wallet that the money goes to, canonical. */
  readonly wallet: string;
  readonly amount: Amount;
  readonly method: CollectionMethod;
  readonly gas: Amount;
  /** Coin that is sent to the address, or stake whose energy is delegated to it, before its transfer; null for none. */
  readonly funding: Amount | null;
  readonly stake: PlannedStake | null;
  /** The subject of the sweep that the collection is part of; null if the address is emptied by itself. */
  readonly sweepId?: string | null;
  readonly cost: Amount;
  readonly nowMs: number;
}

/** False if a collection of another currency at the address is open, or its energy is not back yet. */
export async function insertCollection(tx: Tx, family: string, one: NewCollection): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO collections (collection_id, chain, address_id, currency_id, wallet_id, units, method, gas, cost, state,
       started_at_ms, stake, staker, permission, return_at_ms, sweep_id)
     SELECT $1, $2, $3, $4, w.address_id, $6, $7, $8, $9, $10, $11::bigint, $13::numeric, $14, $15,
       CASE WHEN $13::numeric IS NOT NULL THEN $11::bigint END, $16 FROM addresses w
     WHERE w.family = $12 AND w.address = $5 AND w.purpose = 'wallet'
     ON CONFLICT DO NOTHING RETURNING collection_id`,
    [
      one.collectionId,
      one.chain,
      one.addressId,
      one.amount.currencyId,
      one.wallet,
      toNumeric(one.amount),
      one.method,
      toNumeric(one.gas),
      toNumeric(one.cost),
      firstState(one),
      one.nowMs,
      family,
      one.stake === null ? null : toNumeric(one.stake.amount),
      one.stake?.staker.address ?? null,
      one.stake?.staker.permission ?? null,
      one.sweepId ?? null,
    ],
  );
  return rows.length > 0;
}

function firstState({ funding, stake }: NewCollection): OpenState {
  if (funding !== null) return 'funding';
  return stake === null ? 'moving' : 'delegating';
}

export type OpenState = EndedStep['state'];

/** An open collection with the outgoing transaction of its present step. */
export interface OpenCollection {
  readonly collectionId: string;
  readonly addressId: number;
  readonly address: string;
  readonly wallet: string;
  /** Account number of the app below the seed, and index of the address in the account. */
  readonly account: number;
  readonly index: number;
  /** The stake that is delegated to the address for its transfer; null for none. */
  readonly stake: PlannedStake | null;
  /** The sweep that the collection is part of; null if the address is emptied by itself. */
  readonly sweep: { readonly id: string; readonly txId: string | null } | null;
  readonly amount: Amount;
  readonly gas: Amount;
  readonly state: OpenState;
  readonly step: OutgoingState;
  readonly trouble: string | null;
  readonly troubleSinceMs: number | null;
  readonly failures: number;
}

interface OpenRow {
  readonly collection_id: string;
  readonly address_id: number;
  readonly address: string;
  readonly wallet: string;
  readonly account: number;
  readonly derivation_index: number;
  readonly stake: string | null;
  readonly staker: string | null;
  readonly permission: number | null;
  readonly sweep_id: string | null;
  readonly tx_id: string | null;
  readonly currency_id: number;
  readonly units: string;
  readonly gas: string;
  readonly state: OpenState;
  readonly step: OutgoingState;
  readonly trouble: string | null;
  readonly trouble_since_ms: number | null;
  readonly failures: number;
}

/** Suffixes to the id of the collection: the subjects of the transfer of coin, and of the delegation of energy, for it. */
export const FUNDING_SUFFIX = '.gas';
export const ENERGY_SUFFIX = '.energy';

const OPEN = `
  SELECT c.collection_id, c.address_id, d.address, w.address AS wallet, a.account, d.derivation_index, c.stake, c.staker,
    c.permission, c.sweep_id, o.tx_id, c.currency_id, c.units, c.gas, c.state, o.state AS step, o.trouble, o.trouble_since_ms, h.failures
  FROM collections c
    JOIN addresses d ON d.address_id = c.address_id JOIN addresses w ON w.address_id = c.wallet_id
    JOIN apps a ON a.app_id = d.app_id
    JOIN holdings h ON h.chain = c.chain AND h.address_id = c.address_id AND h.currency_id = c.currency_id
    JOIN outgoing_transactions o ON (o.subject_kind, o.subject_id) = (CASE c.state WHEN 'moving' THEN 'collection'
      ELSE 'funding' END, coalesce(c.sweep_id, c.collection_id) || CASE c.state WHEN 'funding' THEN '${FUNDING_SUFFIX}'
      WHEN 'delegating' THEN '${ENERGY_SUFFIX}' ELSE '' END)
  WHERE c.chain = $1 AND c.ended_at_ms IS NULL`;

const STEPPED = `(o.ended_at_ms IS NOT NULL
    OR (o.state = 'waiting' AND o.trouble_since_ms <= CASE WHEN c.sweep_id IS NULL THEN $2::bigint ELSE $3::bigint END))`;

export interface OpenQuery {
  readonly chain: string;
  readonly nativeId: number;
  /** A step that has waited in trouble since before this time is wanted too. Other steps are wanted once they have ended. */
  readonly troubledBeforeMs: number;
  /** The same for collections of a sweep. */
  readonly sweepTroubledBeforeMs: number;
  readonly limit: number;
}

/** Open collections whose step has ended, or has been in trouble for long. */
export async function readStepped(
  reader: Reader,
  { chain, nativeId, nowMs, limit, ...troubled }: OpenQuery & { readonly nowMs: number },
): Promise<readonly OpenCollection[]> {
  const rows = await reader.read<OpenRow>(
    `${OPEN} AND ${STEPPED} AND ${notQuarantined('collection', 'c.collection_id', '$5')}
     ORDER BY c.collection_id LIMIT $4`,
    [chain, troubled.troubledBeforeMs, troubled.sweepTroubledBeforeMs, limit, nowMs],
  );
  return rows.map((row) => toOpen(row, nativeId));
}

/**
 * One such collection as it is now, locked. Null if it has ended, or if its step has neither ended nor been in trouble
 * for long.
 */
export async function lockStepped(
  tx: Tx,
  collectionId: string,
  { chain, nativeId, troubledBeforeMs, sweepTroubledBeforeMs }: Omit<OpenQuery, 'limit'>,
): Promise<OpenCollection | null> {
  const [row] = await tx.read<OpenRow>(`${OPEN} AND ${STEPPED} AND c.collection_id = $4 FOR UPDATE OF c, h`, [
    chain,
    troubledBeforeMs,
    sweepTroubledBeforeMs,
    collectionId,
  ]);
  return row === undefined ? null : toOpen(row, nativeId);
}

function toOpen(row: OpenRow, nativeId: number): OpenCollection {
  return {
    collectionId: row.collection_id,
    addressId: row.address_id,
    address: row.address,
    wallet: row.wallet,
    account: row.account,
    index: row.derivation_index,
    stake: stakeOf(row, nativeId),
    sweep: row.sweep_id === null ? null : { id: row.sweep_id, txId: row.tx_id },
    amount: fromNumeric(row.currency_id, row.units),
    gas: fromNumeric(nativeId, row.gas),
    state: row.state,
    step: row.step,
    trouble: row.trouble,
    troubleSinceMs: row.trouble_since_ms,
    failures: row.failures,
  };
}

/** The delegated stake; null if nothing is delegated. */
export function stakeOf(
  row: Pick<OpenRow, 'stake' | 'staker' | 'permission'>,
  nativeId: number,
): PlannedStake | null {
  const { stake, staker: address, permission } = row;
  if (stake === null || address === null || permission === null) return null;
  return { staker: { address, permission }, amount: fromNumeric(nativeId, stake) };
}

/** Moves an open collection to its next step, because the step before has succeeded. */
export async function setStep(
  tx: Tx,
  collectionId: string,
  state: Exclude<OpenState, 'funding'>,
): Promise<void> {
  await tx.write('UPDATE collections SET state = $2 WHERE collection_id = $1 AND ended_at_ms IS NULL', [
    collectionId,
    state,
  ]);
}

export type EndState = 'collected' | 'failed' | 'withdrawn';

export interface CollectionEnd {
  readonly state: EndState;
  readonly reason: string | null;
  /** The amount that was moved: a sweep takes all that is there. The planned amount if nothing was moved. */
  readonly amount: Amount;
  readonly nowMs: number;
}

export async function endCollection(
  tx: Tx,
  collectionId: string,
  { state, reason, amount, nowMs }: CollectionEnd,
): Promise<void> {
  await tx.write(
    `UPDATE collections SET state = $2, reason = $3, ended_at_ms = $4, units = $5
     WHERE collection_id = $1 AND ended_at_ms IS NULL`,
    [collectionId, state, reason, nowMs, toNumeric(amount)],
  );
}

/**
 * How many collections are open on a chain, and the expected cost of those that began since `sinceMs`, with the
 * sweepers that were deployed for them.
 */
export async function readUnderway(
  reader: Reader,
  {
    chain,
    nativeId,
    sinceMs,
  }: { readonly chain: string; readonly nativeId: number; readonly sinceMs: number },
): Promise<{ readonly open: number; readonly spent: Amount }> {
  const [row] = await reader.read<{ open: number; spent: string }>(
    `SELECT (SELECT count(*)::integer FROM collections WHERE chain = $1 AND ended_at_ms IS NULL) AS open,
       ((SELECT coalesce(sum(cost), 0) FROM collections WHERE chain = $1 AND started_at_ms > $2)
        + (SELECT coalesce(sum(coalesce(i.fee, CASE o.state WHEN 'cancelled' THEN 0 ELSE o.fee_cap END)), 0)
           FROM outgoing_transactions o LEFT JOIN inclusions i ON i.chain = o.chain AND i.tx_id = o.tx_id AND i.final
           WHERE o.chain = $1 AND o.action = 'deploy' AND o.created_at_ms > $2))::text AS spent`,
    [chain, sinceMs],
  );
  return { open: row?.open ?? 0, spent: fromNumeric(nativeId, row?.spent ?? '0') };
}

/** Currencies of apps in which payouts wait, because their wallet cannot pay them yet. */
export async function readDemands(reader: Reader, chain: string): Promise<readonly Demand[]> {
  return reader.read<Demand>(
    `SELECT DISTINCT d.app_id AS "appId", o.currency_id AS "currencyId"
     FROM outgoing_transactions o JOIN senders s USING (sender_id) JOIN addresses d USING (address_id)
     WHERE o.chain = $1 AND o.next_at_ms IS NOT NULL AND o.state = 'waiting' AND o.trouble IS NOT NULL
       AND o.subject_kind = 'payout' AND d.app_id IS NOT NULL`,
    [chain],
  );
}
