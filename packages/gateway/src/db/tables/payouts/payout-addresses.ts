// The address lists of apps: where each may send money while its list is on.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface ListedAddress {
  readonly family: string;
  /** Canonical text. */
  readonly address: string;
  readonly label: string;
  readonly addedBy: string;
  readonly addedAtMs: number;
}

/** Unix seconds, rounded up, at which an address came onto the list of an app; null where it is not there. */
export async function readListedAt(
  reader: Reader,
  appId: string,
  { family, address }: Pick<ListedAddress, 'family' | 'address'>,
): Promise<number | null> {
  return (await readListing(reader, appId, { family, address }))?.at ?? null;
}

/** How an address stands on the list of an app. */
export interface ListedFor {
  readonly label: string;
  /** When the address was added, in Unix seconds, rounded up. */
  readonly at: number;
}

/** Null if the address is not on the list. */
export async function readListing(
  reader: Reader,
  appId: string,
  { family, address }: Pick<ListedAddress, 'family' | 'address'>,
): Promise<ListedFor | null> {
  const [row] = await reader.read<{ label: string; added_at_ms: number }>(
    'SELECT label, added_at_ms FROM payout_addresses WHERE app_id = $1 AND family = $2 AND address = $3',
    [appId, family, address],
  );
  return row === undefined ? null : { label: row.label, at: Math.ceil(row.added_at_ms / 1000) };
}

/** The list of an app, in the order in which it grew, at most `limit`. */
export async function listAddresses(
  reader: Reader,
  appId: string,
  limit: number,
): Promise<readonly ListedAddress[]> {
  return reader.read<ListedAddress>(
    `SELECT family, address, label, added_by AS "addedBy", added_at_ms AS "addedAtMs" FROM payout_addresses
     WHERE app_id = $1 ORDER BY added_at_ms, family, address LIMIT $2`,
    [appId, limit],
  );
}

/** The longest list that an app has on the dashboard. */
export const MAX_LISTED_ADDRESSES = 1_000;

/** Adds an address unless it is there: then it keeps its time. Returns whether it is new. */
export async function insertListedAddress(tx: Tx, appId: string, listed: ListedAddress): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO payout_addresses (app_id, family, address, label, added_by, added_at_ms)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`,
    [appId, listed.family, listed.address, listed.label, listed.addedBy, listed.addedAtMs],
  );
  return rows.length > 0;
}

/** Takes an address off the list; returns whether it was there. */
export async function deleteListedAddress(
  tx: Tx,
  appId: string,
  { family, address }: Pick<ListedAddress, 'family' | 'address'>,
): Promise<boolean> {
  const rows = await tx.write(
    'DELETE FROM payout_addresses WHERE app_id = $1 AND family = $2 AND address = $3 RETURNING 1',
    [appId, family, address],
  );
  return rows.length > 0;
}
