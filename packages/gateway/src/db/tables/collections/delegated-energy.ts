// Energy that collections had delegated to their addresses, until the books say that all of it is back.
import type { DelegatedEnergy } from '@ducat/core/collection/after-delegation';
import type { PlannedStake } from '@ducat/core/collection/plan';
import type { Amount } from '@ducat/core/money/amount';
import type { OutgoingState } from '@ducat/core/outgoing/outgoing';
import { assert } from '@ducat/core/assert';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';
import { notQuarantined } from '../outgoing/not-quarantined.ts';
import { ENERGY_SUFFIX, stakeOf } from './collections.ts';

/** Energy of a collection that has ended. */
export interface EnergyOut extends Omit<DelegatedEnergy, 'report'> {
  readonly collectionId: string;
  readonly address: string;
  /** The place of the address below the seed. */
  readonly account: number;
  readonly index: number;
  readonly stake: PlannedStake;
}

interface Row {
  readonly collection_id: string;
  readonly address: string;
  readonly account: number;
  readonly derivation_index: number;
  readonly stake: string;
  readonly staker: string;
  readonly permission: number;
  readonly returns: number;
  readonly missing_since_ms: number | null;
  readonly delegated: OutgoingState | null;
  readonly returned: OutgoingState | null;
  readonly returned_at_ms: number | null;
  readonly is_stuck: boolean;
}

/** The subject of the undelegation with this number, from 1. */
export function returnSubject(collectionId: string, number: number): string {
  return `${collectionId}.return${number}`;
}

const OUT = `
  SELECT c.collection_id, d.address, a.account, d.derivation_index, c.stake, c.staker, c.permission, c.returns,
    c.missing_since_ms, o.state AS delegated, r.state AS returned, r.ended_at_ms AS returned_at_ms,
    coalesce(r.state = 'waiting' AND r.trouble_since_ms <= $2, false) AS is_stuck
  FROM collections c JOIN addresses d ON d.address_id = c.address_id JOIN apps a ON a.app_id = d.app_id
    LEFT JOIN outgoing_transactions o ON o.subject_kind = 'funding' AND o.subject_id = c.collection_id || '${ENERGY_SUFFIX}'
    LEFT JOIN outgoing_transactions r ON r.subject_kind = 'funding'
      AND r.subject_id = c.collection_id || '.return' || c.returns
  WHERE c.chain = $1 AND c.ended_at_ms IS NOT NULL AND c.return_at_ms IS NOT NULL`;

export interface EnergyQuery {
  readonly chain: string;
  readonly nativeId: number;
  /** A return that has waited in trouble since before this time is stuck. */
  readonly troubledBeforeMs: number;
}

/** Delegations whose next check is due, the longest due first. */
export async function readEnergyOut(
  reader: Reader,
  { chain, nativeId, troubledBeforeMs }: EnergyQuery,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly EnergyOut[]> {
  const rows = await reader.read<Row>(
    `${OUT} AND c.return_at_ms <= $3 AND ${notQuarantined('collection', 'c.collection_id', '$3')}
     ORDER BY c.return_at_ms, c.collection_id LIMIT $4`,
    [chain, troubledBeforeMs, nowMs, limit],
  );
  return rows.map((row) => toEnergyOut(row, nativeId));
}

/** One such delegation as it is now, locked; null if all of it is back. */
export async function lockEnergyOut(
  tx: Tx,
  collectionId: string,
  { chain, nativeId, troubledBeforeMs }: EnergyQuery,
): Promise<EnergyOut | null> {
  await tx.read('SELECT FROM collections WHERE collection_id = $1 FOR UPDATE', [collectionId]);
  // A second statement, because the one that waited for the lock would not see a return that was asked for meanwhile.
  const [row] = await tx.read<Row>(`${OUT} AND c.collection_id = $3`, [
    chain,
    troubledBeforeMs,
    collectionId,
  ]);
  return row === undefined ? null : toEnergyOut(row, nativeId);
}

function toEnergyOut(row: Row, nativeId: number): EnergyOut {
  const stake = stakeOf(row, nativeId);
  assert(stake !== null, `${row.collection_id} had a stake`);
  return {
    collectionId: row.collection_id,
    address: row.address,
    account: row.account,
    index: row.derivation_index,
    stake,
    returns: row.returns,
    delegated: row.delegated,
    returned: row.returned,
    returnedAtMs: row.returned_at_ms,
    isStuck: row.is_stuck,
    goneSinceMs: row.missing_since_ms,
  };
}

/** When a delegation is checked next, how many returns were asked for, and since when the chain reports it as gone. */
export interface NextReturnLook {
  /** Null where all of it is back. */
  readonly atMs: number | null;
  readonly returns: number;
  readonly goneSinceMs: number | null;
}

export async function setReturnLook(
  tx: Tx,
  collectionId: string,
  { atMs, returns, goneSinceMs }: NextReturnLook,
): Promise<void> {
  await tx.write(
    'UPDATE collections SET return_at_ms = $2, returns = $3, missing_since_ms = $4 WHERE collection_id = $1',
    [collectionId, atMs, returns, goneSinceMs],
  );
}

/** Parts of a staker's stake: `underway` is asked for and may not show on the chain yet, `delegated` is so by the books. */
export async function readStakeInUse(
  reader: Reader,
  { chain, nativeId, staker }: { readonly chain: string; readonly nativeId: number; readonly staker: string },
): Promise<{ readonly underway: Amount; readonly delegated: Amount }> {
  const [row] = await reader.read<{ underway: string; delegated: string }>(
    `SELECT coalesce(sum(c.stake) FILTER (WHERE c.ended_at_ms IS NULL AND o.ended_at_ms IS NULL), 0)::text AS underway,
       coalesce(sum(c.stake) FILTER (WHERE o.state = 'succeeded'), 0)::text AS delegated
     FROM collections c
       LEFT JOIN outgoing_transactions o ON o.subject_kind = 'funding' AND o.subject_id = c.collection_id || '${ENERGY_SUFFIX}'
     WHERE c.chain = $1 AND c.return_at_ms IS NOT NULL AND c.staker = $2`,
    [chain, staker],
  );
  return {
    underway: fromNumeric(nativeId, row?.underway ?? '0'),
    delegated: fromNumeric(nativeId, row?.delegated ?? '0'),
  };
}
