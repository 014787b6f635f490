// Merchants, their apps, and the account keys of apps.
import type { Reader, Tx } from '../postgres/tx.ts';

/** What an app is for: taking order payments, or static QR codes. */
export type AppKind = 'PAYMENT' | 'QR_CODE';

export interface App {
  readonly appId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly kind: AppKind;
  readonly enabled: boolean;
  /** Whether an operator has suspended its merchant, which counts like being switched off. */
  readonly isSuspended: boolean;
  /** Whether an operator has limited how many orders of its merchant are open at once. */
  readonly hasOpenLimit: boolean;
  /** The hardened account below the seed that all addresses of the app come from. */
  readonly account: number;
  readonly callbackUrl: string | null;
  readonly tolerancePpm: number;
  /** The networks that requests may come from, such as 203.0.113.0/24; none means any network. */
  readonly allowedRanges: readonly string[];
  /** The least value that is collected from an address of the app, in 10^-6 USDT; null leaves it to the operator. */
  readonly minOperableValue: bigint | null;
}

/** An app with its AppKeys as they are stored: sealed. */
export interface SealedApp {
  readonly app: App;
  readonly sealedKey: Buffer;
  readonly previousSealedKey: Buffer | null;
  /** Unix milliseconds until which the key before the last rotation is still accepted. */
  readonly previousKeyUntilMs: number | null;
  readonly createdAtMs: number;
}

interface AppRow {
  readonly app_id: string;
  readonly merchant_id: string;
  readonly name: string;
  readonly kind: AppKind;
  readonly enabled: boolean;
  readonly suspended: boolean;
  readonly has_open_limit: boolean;
  readonly account: number;
  readonly callback_url: string | null;
  readonly tolerance_ppm: number;
  readonly allowed_ranges: readonly string[];
  readonly min_operable_value: string | null;
  readonly sealed_key: Buffer;
  readonly previous_sealed_key: Buffer | null;
  readonly previous_key_until_ms: number | null;
  readonly created_at_ms: number;
}

const OF_MERCHANT = 'm.suspended, m.max_open_orders IS NOT NULL AS has_open_limit';
const APPS = `SELECT a.*, ${OF_MERCHANT} FROM apps a JOIN merchants m USING (merchant_id)`;

/** The app with its sealed keys, or null where there is none of that id. */
export async function readSealedApp(reader: Reader, appId: string): Promise<SealedApp | null> {
  const [row] = await reader.read<AppRow>(`${APPS} WHERE app_id = $1`, [appId]);
  return row === undefined ? null : sealedAppOf(row);
}

/** The app that was made last, or null where there is none yet. */
export async function readNewestSealedApp(reader: Reader): Promise<SealedApp | null> {
  const [row] = await reader.read<AppRow>(`${APPS} ORDER BY a.created_at_ms DESC, app_id DESC LIMIT 1`, []);
  return row === undefined ? null : sealedAppOf(row);
}

/** All apps of the gateway, oldest first, at most `limit`. */
export async function listApps(reader: Reader, limit: number): Promise<readonly App[]> {
  const rows = await reader.read<AppRow>(`${APPS} ORDER BY a.created_at_ms, app_id LIMIT $1`, [limit]);
  return rows.map((row) => sealedAppOf(row).app);
}

function sealedAppOf(row: AppRow): SealedApp {
  return {
    app: {
      appId: row.app_id,
      merchantId: row.merchant_id,
      name: row.name,
      kind: row.kind,
      enabled: row.enabled,
      isSuspended: row.suspended,
      hasOpenLimit: row.has_open_limit,
      account: row.account,
      callbackUrl: row.callback_url,
      tolerancePpm: row.tolerance_ppm,
      allowedRanges: row.allowed_ranges,
      minOperableValue: row.min_operable_value === null ? null : BigInt(row.min_operable_value),
    },
    sealedKey: row.sealed_key,
    previousSealedKey: row.previous_sealed_key,
    previousKeyUntilMs: row.previous_key_until_ms,
    createdAtMs: row.created_at_ms,
  };
}

/** The currencies that an app does not take. */
export async function readCurrenciesOff(reader: Reader, appId: string): Promise<ReadonlySet<number>> {
  const rows = await reader.read<{ currency_id: number }>(
    'SELECT currency_id FROM app_currencies_off WHERE app_id = $1',
    [appId],
  );
  return new Set(rows.map((row) => row.currency_id));
}

/** Keeps other changes of the app's settings waiting until the transaction ends. */
export async function lockApp(tx: Tx, appId: string): Promise<void> {
  await tx.read('SELECT FROM apps WHERE app_id = $1 FOR UPDATE', [appId]);
}

export async function merchantExists(reader: Reader, merchantId: string): Promise<boolean> {
  const rows = await reader.read('SELECT 1 FROM merchants WHERE merchant_id = $1', [merchantId]);
  return rows.length > 0;
}

/** While a merchant is suspended, nothing new is made for it. False if there is no such merchant. */
export async function isMerchantSuspended(reader: Reader, merchantId: string): Promise<boolean> {
  const rows = await reader.read('SELECT 1 FROM merchants WHERE merchant_id = $1 AND suspended', [
    merchantId,
  ]);
  return rows.length > 0;
}

/** Whether the merchant came from a sign-up and no operator lets it take payments now. */
export async function isSuspendedSignUp(reader: Reader, merchantId: string): Promise<boolean> {
  const rows = await reader.read(
    'SELECT 1 FROM merchants WHERE merchant_id = $1 AND suspended AND from_sign_up',
    [merchantId],
  );
  return rows.length > 0;
}

/** Null where there is no such merchant. */
export async function readMerchantName(reader: Reader, merchantId: string): Promise<string | null> {
  const [row] = await reader.read<{ name: string }>('SELECT name FROM merchants WHERE merchant_id = $1', [
    merchantId,
  ]);
  return row?.name ?? null;
}

export interface NewMerchant {
  readonly merchantId: string;
  readonly name: string;
  /** The fee on each deposit, in parts per million. */
  readonly depositFeePpm: number;
  readonly createdAtMs: number;
  /** Whether the owner signed up without an invitation. */
  readonly isFromSignUp?: boolean;
}

export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  await tx.write(
    `INSERT INTO merchants (merchant_id, name, deposit_fee_ppm, created_at_ms, from_sign_up)
     VALUES ($1, $2, $3, $4, $5)`,
    [
      merchant.merchantId,
      merchant.name,
      merchant.depositFeePpm,
      merchant.createdAtMs,
      merchant.isFromSignUp ?? false,
    ],
  );
}

/** In parts per million; what is left out stays. */
export interface MerchantFees {
  /** The fee on deposits that become final from now on. */
  readonly depositFeePpm?: number | undefined;
  /** The fee on payouts made from now on. */
  readonly payoutFeePpm?: number | undefined;
}

/** Whether the merchant was there. */
export async function updateFees(
  tx: Tx,
  merchantId: string,
  { depositFeePpm, payoutFeePpm }: MerchantFees,
): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE merchants SET deposit_fee_ppm = coalesce($2, deposit_fee_ppm),
       payout_fee_ppm = coalesce($3, payout_fee_ppm)
     WHERE merchant_id = $1 RETURNING 1`,
    [merchantId, depositFeePpm ?? null, payoutFeePpm ?? null],
  );
  return rows.length > 0;
}

export interface NewApp {
  readonly appId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly kind: AppKind;
  readonly callbackUrl: string | null;
  /** How far below the amount due still counts as paid, in parts per million. */
  readonly tolerancePpm: number;
  readonly sealedKey: Buffer;
  readonly createdAtMs: number;
}

/** Inserts the app with the next account number, and returns that number. */
export async function insertApp(tx: Tx, app: NewApp): Promise<number | undefined> {
  const [row] = await tx.write<{ account: number }>(
    `INSERT INTO apps (app_id, merchant_id, name, kind, account, callback_url, tolerance_ppm, sealed_key, created_at_ms)
     VALUES ($1, $2, $3, $4, nextval('app_accounts'), $5, $6, $7, $8) RETURNING account`,
    [
      app.appId,
      app.merchantId,
      app.name,
      app.kind,
      app.callbackUrl,
      app.tolerancePpm,
      app.sealedKey,
      app.createdAtMs,
    ],
  );
  return row?.account;
}

/** Puts a new key in front and keeps the one before it until `previousKeyUntilMs`; whether the app was there. */
export async function replaceKey(
  tx: Tx,
  appId: string,
  sealedKey: Buffer,
  previousKeyUntilMs: number,
): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE apps SET previous_sealed_key = sealed_key, previous_key_until_ms = $3, sealed_key = $2
     WHERE app_id = $1 RETURNING 1`,
    [appId, sealedKey, previousKeyUntilMs],
  );
  return rows.length > 0;
}

/** What can be changed about an app; what is left out stays. */
export interface AppSettings {
  readonly enabled?: boolean | undefined;
  readonly callbackUrl?: string | undefined;
  readonly tolerancePpm?: number | undefined;
}

/** The app as it is afterwards, locked until the transaction ends; null where there is none of that id. */
export async function updateApp(tx: Tx, appId: string, settings: AppSettings): Promise<App | null> {
  const [row] = await tx.write<AppRow>(
    `UPDATE apps SET enabled = coalesce($2, enabled), callback_url = coalesce($3, callback_url),
       tolerance_ppm = coalesce($4, tolerance_ppm)
     FROM merchants m WHERE app_id = $1 AND m.merchant_id = apps.merchant_id RETURNING apps.*, ${OF_MERCHANT}`,
    [appId, settings.enabled ?? null, settings.callbackUrl ?? null, settings.tolerancePpm ?? null],
  );
  return row === undefined ? null : sealedAppOf(row).app;
}

export interface AppNetwork {
  readonly allowedRanges: readonly string[];
  /** In 10^-6 USDT. */
  readonly minOperableValue: bigint | null;
}

/** Whether the app was there. */
export async function updateNetwork(tx: Tx, appId: string, network: AppNetwork): Promise<boolean> {
  const rows = await tx.write(
    'UPDATE apps SET allowed_ranges = $2::text[], min_operable_value = $3::numeric WHERE app_id = $1 RETURNING 1',
    [appId, network.allowedRanges, network.minOperableValue?.toString() ?? null],
  );
  return rows.length > 0;
}

export async function updateSuspension(tx: Tx, merchantId: string, isSuspended: boolean): Promise<void> {
  await tx.write('UPDATE merchants SET suspended = $2 WHERE merchant_id = $1', [merchantId, isSuspended]);
}

/** Deletes a merchant without apps, with its memberships, open invitations and waiting mails. Sent mails still count. */
export async function deleteMerchantRows(tx: Tx, merchantId: string): Promise<void> {
  await tx.write('DELETE FROM invitations WHERE merchant_id = $1', [merchantId]);
  await tx.write('DELETE FROM mails WHERE merchant_id = $1 AND outcome IS NULL', [merchantId]);
  await tx.write('UPDATE mails SET merchant_id = NULL WHERE merchant_id = $1', [merchantId]);
  await tx.write('DELETE FROM memberships WHERE merchant_id = $1', [merchantId]);
  await tx.write('DELETE FROM merchants WHERE merchant_id = $1', [merchantId]);
}

export async function hasApps(reader: Reader, merchantId: string): Promise<boolean> {
  return (await reader.read('SELECT FROM apps WHERE merchant_id = $1 LIMIT 1', [merchantId])).length > 0;
}

/** Keeps other changes of the merchant waiting until the transaction ends. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<void> {
  await tx.read('SELECT FROM merchants WHERE merchant_id = $1 FOR UPDATE', [merchantId]);
}

/** Adds `off` to the currencies that an app does not take, and removes `on` from them. */
export async function updateCurrenciesOff(
  tx: Tx,
  appId: string,
  { off, on }: { readonly off: readonly number[]; readonly on: readonly number[] },
): Promise<void> {
  await tx.write(
    'INSERT INTO app_currencies_off (app_id, currency_id) SELECT $1, unnest($2::integer[]) ON CONFLICT DO NOTHING',
    [appId, off],
  );
  await tx.write('DELETE FROM app_currencies_off WHERE app_id = $1 AND currency_id = ANY ($2::integer[])', [
    appId,
    on,
  ]);
}

/** Switches a currency off for every app that there is. */
export async function switchOffForAll(tx: Tx, currencyId: number): Promise<void> {
  await tx.write(
    'INSERT INTO app_currencies_off (app_id, currency_id) SELECT app_id, $1 FROM apps ON CONFLICT DO NOTHING',
    [currencyId],
  );
}

/** Leaves out the next `count` account numbers, which then belong to no app that is made here. */
export async function skipAccounts(tx: Tx, count: number): Promise<void> {
  await tx.write("SELECT count(nextval('app_accounts')) FROM generate_series(1, $1::integer)", [count]);
}

/** Adds the account key unless one is there; returns the one that is stored afterwards. */
export async function insertAccountKey(
  tx: Tx,
  key: { readonly appId: string; readonly family: string; readonly accountPublicKey: string },
): Promise<string | undefined> {
  await tx.write(
    'INSERT INTO account_keys (app_id, family, account_public_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [key.appId, key.family, key.accountPublicKey],
  );
  const [row] = await tx.read<{ account_public_key: string }>(
    'SELECT account_public_key FROM account_keys WHERE app_id = $1 AND family = $2',
    [key.appId, key.family],
  );
  return row?.account_public_key;
}
