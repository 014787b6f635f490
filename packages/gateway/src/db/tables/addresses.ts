// The pool of deposit addresses, derived ahead from public keys.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Reader, Tx } from '../postgres/tx.ts';

export interface PoolState {
  readonly appId: string;
  readonly family: ChainFamily;
  readonly accountPublicKey: string;
  readonly free: number;
  readonly nextIndex: number;
}

export interface PoolKey {
  readonly appId: string;
  readonly family: ChainFamily;
}

export interface PoolQuery {
  /** A pool with fewer free addresses is low; no more are counted. At least 1. */
  readonly lowMark: number;
  /** The search begins after this pool; null for the first. */
  readonly after: PoolKey | null;
  /** How many pools are checked. */
  readonly pools: number;
}

export interface LowPools {
  readonly low: readonly PoolKey[];
  /** The last pool that was checked; null if no more follow. */
  readonly last: PoolKey | null;
}

/** The next pools, and which of them are low. Reads nothing but indexes. */
export async function readLowPools(reader: Reader, { lowMark, after, pools }: PoolQuery): Promise<LowPools> {
  const rows = await reader.read<PoolKey & { readonly isLow: boolean }>(
    `SELECT app_id AS "appId", family, NOT EXISTS (
       SELECT FROM addresses d WHERE d.app_id = k.app_id AND d.family = k.family AND d.purpose = 'order'
         AND d.trade_no IS NULL AND NOT d.retired OFFSET $1) AS "isLow"
     FROM (SELECT app_id, family FROM account_keys WHERE (app_id, family) > ($2, $3)
       ORDER BY app_id, family LIMIT $4) AS k`,
    [lowMark - 1, after?.appId ?? '', after?.family ?? '', pools],
  );
  const low = rows.filter(({ isLow }) => isLow).map(({ appId, family }) => ({ appId, family }));
  const last = rows.at(-1);
  const isEnd = last === undefined || rows.length < pools;
  return { low, last: isEnd ? null : { appId: last.appId, family: last.family } };
}

/**
 * One pool. Its key row is locked, so that two fillers cannot derive the same index. The count is a second statement,
 * because the one that waited for the lock would count with its older snapshot.
 */
export async function lockPool(tx: Tx, appId: string, family: ChainFamily): Promise<PoolState | null> {
  await tx.read('SELECT FROM account_keys WHERE app_id = $1 AND family = $2 FOR UPDATE', [appId, family]);
  const rows = await tx.read<PoolRow>(`${POOL} WHERE k.app_id = $1 AND k.family = $2`, [appId, family]);
  return rows[0] === undefined ? null : toPool(rows[0]);
}

/** All pools, at most `limit` of them. */
export async function listPools(reader: Reader, limit: number): Promise<readonly PoolState[]> {
  const rows = await reader.read<PoolRow>(`${POOL} ORDER BY k.app_id, k.family LIMIT $1`, [limit]);
  return rows.map(toPool);
}

/** The pools of one app. */
export async function listPoolsOf(reader: Reader, appId: string): Promise<readonly PoolState[]> {
  const rows = await reader.read<PoolRow>(`${POOL} WHERE k.app_id = $1 ORDER BY k.family`, [appId]);
  return rows.map(toPool);
}

/** Adds derived addresses, lowest index first. Retired ones are watched and never handed out. */
export async function insertAddresses(
  tx: Tx,
  appId: string,
  family: ChainFamily,
  firstIndex: number,
  addresses: readonly string[],
  { retired = false } = {},
): Promise<void> {
  await tx.write(
    `INSERT INTO addresses (app_id, family, derivation_index, address, retired)
     SELECT $1, $2, $3 + place - 1, address, $5 FROM unnest($4::text[]) WITH ORDINALITY AS a (address, place)`,
    [appId, family, firstIndex, addresses, retired],
  );
}

/** Retires every address of a pool. An order that has one keeps it, and no other order gets it afterwards. */
export async function markRetired(tx: Tx, appId: string, family: ChainFamily): Promise<void> {
  await tx.write(
    `UPDATE addresses SET retired = true
     WHERE app_id = $1 AND family = $2 AND purpose = 'order' AND NOT retired`,
    [appId, family],
  );
}

/** Which of these addresses are ours, whatever they are for. */
export async function findOurs(
  reader: Reader,
  family: ChainFamily,
  addresses: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (addresses.size === 0) return new Set();
  const rows = await reader.read<{ address: string }>(
    'SELECT address FROM addresses WHERE family = $1 AND address = ANY($2::text[])',
    [family, [...addresses]],
  );
  return new Set(rows.map(({ address }) => address));
}

/** The wallet of an app, which collects its money and pays for it; null if the app has none of this family. */
export async function readPayingWallet(
  reader: Reader,
  family: ChainFamily,
  appId: string,
): Promise<string | null> {
  const [row] = await reader.read<{ address: string }>(
    `SELECT address FROM addresses
     WHERE family = $1 AND purpose = 'wallet' AND NOT retired AND app_id = $2
     ORDER BY address_id LIMIT 1`,
    [family, appId],
  );
  return row?.address ?? null;
}

export interface AddressRange {
  readonly family: ChainFamily;
  /** Only rows above this number. */
  readonly after: number;
  /** Only rows up to and including this number; up to the newest if left out. */
  readonly upTo?: number;
  readonly limit: number;
}

/** Addresses that were ever handed out, paid or paid from, in the order of their rows. For comparing balances. */
export async function readUsedAddresses(
  reader: Reader,
  { family, after, upTo, limit }: AddressRange,
): Promise<readonly { readonly addressId: number; readonly address: string }[]> {
  return reader.read(USED_ADDRESSES, [family, after, upTo ?? Number.MAX_SAFE_INTEGER, limit]);
}

// Order and bounds name all columns of the index, family included. By address_id alone the planner may take the primary
// key and walk past all addresses of the other family. The searches for transfers are no EXISTS, because the planner
// may run an EXISTS once for all addresses, which reads all transfers for each page.
export const USED_ADDRESSES = `
  SELECT address_id AS "addressId", address FROM addresses d
  WHERE family >= $1 AND family <= $1 AND (family, address_id) > ($1, $2) AND (family, address_id) <= ($1, $3)
    AND (trade_no IS NOT NULL OR purpose <> 'order'
      OR (SELECT true FROM transfers t WHERE t.address_id = d.address_id LIMIT 1)
      OR (SELECT true FROM transfers t WHERE t.from_address_id = d.address_id LIMIT 1))
  ORDER BY family, address_id LIMIT $4`;

/**
 * Puts addresses back into the pool; returns how many. The order of such an address ended on this chain before a time (Unix
 * seconds) that the final blocks have passed, and all its money is final. An address that a payer saw before choosing
 * another currency stays with its order. A deposit that arrives later counts for the next owner of the address. A swept
 * address is not released, because it borrows code on its chain and takes no coin that is sent with 21,000 gas.
 */
export async function releaseAddresses(
  tx: Tx,
  chain: string,
  endedBefore: number,
  limit: number,
): Promise<number> {
  const locked = await tx.read<{ address_id: number }>(
    `SELECT d.address_id FROM addresses d JOIN orders o ON o.trade_no = d.trade_no AND o.address_id = d.address_id
     WHERE o.chain = $1 AND NOT d.retired AND o.status <> 'TO-BE-PAID' AND o.time_expire < $2
       AND EXISTS (SELECT FROM chain_cursors c WHERE c.chain = $1 AND c.final_time >= $2) AND NOT EXISTS (
         SELECT FROM transfers t WHERE t.address_id = d.address_id AND t.state <> 'orphaned'
           AND (t.state IN ('seen', 'proposed') OR t.block_time >= $2))
       AND ${NEVER_SWEPT}
     ORDER BY d.address_id LIMIT $3 FOR UPDATE OF d SKIP LOCKED`,
    [chain, endedBefore, limit],
  );
  // Two statements: a sweep that began before the lock is not in the snapshot of the first.
  // mark: swept-addresses-are-not-reused
  const released = await tx.write<{ address_id: number }>(
    `UPDATE addresses d SET trade_no = NULL WHERE d.address_id = ANY ($1::bigint[]) AND ${NEVER_SWEPT}
     RETURNING d.address_id`,
    [locked.map(({ address_id: addressId }) => addressId)],
  );
  return released.length;
}

const NEVER_SWEPT =
  "NOT EXISTS (SELECT FROM collections c WHERE c.address_id = d.address_id AND c.method = 'sponsored')";

interface PoolRow {
  readonly app_id: string;
  readonly family: ChainFamily;
  readonly account_public_key: string;
  readonly free: number;
  readonly next_index: number;
}

const POOL = `
  SELECT k.app_id, k.family, k.account_public_key,
    (SELECT count(*) FROM addresses d
     WHERE d.app_id = k.app_id AND d.family = k.family AND d.purpose = 'order' AND d.trade_no IS NULL
       AND NOT d.retired) AS free,
    (SELECT coalesce(max(derivation_index) + 1, 0) FROM addresses d
     WHERE d.app_id = k.app_id AND d.family = k.family AND d.purpose <> 'wallet') AS next_index
  FROM account_keys k`;

function toPool(row: PoolRow): PoolState {
  return {
    appId: row.app_id,
    family: row.family,
    accountPublicKey: row.account_public_key,
    free: row.free,
    nextIndex: row.next_index,
  };
}
