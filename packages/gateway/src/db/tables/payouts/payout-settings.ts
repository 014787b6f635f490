// The settings for the payouts of an app, and the state of its one-time codes.
import type { FeeMode, PayoutRules } from '@ducat/core/payout/open-payout';
import type { CodeState } from '@ducat/core/payout/one-time-code';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface PayoutSettings extends PayoutRules {
  readonly merchantId: string;
  /** Whether one-time codes are asked for. */
  readonly isCodeOn: boolean;
  readonly codes: CodeState;
}

interface SettingsRow {
  readonly merchant_id: string;
  readonly payout_max_value: string | null;
  readonly payout_max_day_value: string | null;
  readonly fee_ppm: number;
  readonly fee_mode: FeeMode;
  readonly max_value: string | null;
  readonly max_day_value: string | null;
  readonly approval_above: string | null;
  readonly address_list: boolean;
  readonly cooling_s: number;
  readonly has_code: boolean;
  readonly otp_last_step: number;
  readonly otp_failures: number;
  readonly otp_locked_until_ms: number;
}

const OF_MERCHANT = 'm.merchant_id, m.payout_fee_ppm AS fee_ppm, m.payout_max_value, m.payout_max_day_value';

/** The settings of an app, made at first use and locked until the transaction ends; null where there is no such app. */
export async function lockSettings(tx: Tx, appId: string): Promise<PayoutSettings | null> {
  // Insert and lock are two statements, because one statement cannot lock a row that another process has just made.
  await tx.write(
    'INSERT INTO payout_settings (app_id) SELECT app_id FROM apps WHERE app_id = $1 ON CONFLICT DO NOTHING',
    [appId],
  );
  const [row] = await tx.read<SettingsRow>(
    `SELECT ${OF_MERCHANT}, s.*, s.otp_secret IS NOT NULL AS has_code
     FROM payout_settings s JOIN apps a USING (app_id) JOIN merchants m USING (merchant_id)
     WHERE s.app_id = $1 FOR UPDATE OF s`,
    [appId],
  );
  return row === undefined ? null : toSettings(row);
}

/** The settings of an app; the defaults of the schema if it has none yet. Null if there is no such app. */
export async function readSettings(reader: Reader, appId: string): Promise<PayoutSettings | null> {
  const [row] = await reader.read<SettingsRow>(
    `SELECT ${OF_MERCHANT}, coalesce(s.fee_mode, 'on-top') AS fee_mode,
       CASE WHEN s.app_id IS NULL THEN 10000000000 ELSE s.max_value END AS max_value,
       CASE WHEN s.app_id IS NULL THEN 50000000000 ELSE s.max_day_value END AS max_day_value,
       s.approval_above, coalesce(s.address_list, false) AS address_list, coalesce(s.cooling_s, 86400) AS cooling_s,
       s.otp_secret IS NOT NULL AS has_code, coalesce(s.otp_last_step, -1) AS otp_last_step,
       coalesce(s.otp_failures, 0) AS otp_failures, coalesce(s.otp_locked_until_ms, 0) AS otp_locked_until_ms
     FROM apps a JOIN merchants m USING (merchant_id) LEFT JOIN payout_settings s USING (app_id) WHERE a.app_id = $1`,
    [appId],
  );
  return row === undefined ? null : toSettings(row);
}

/** The secret of an app's one-time codes, sealed; null while none are asked for. */
export async function readSealedCodeSecret(reader: Reader, appId: string): Promise<Buffer | null> {
  const [row] = await reader.read<{ otp_secret: Buffer | null }>(
    'SELECT otp_secret FROM payout_settings WHERE app_id = $1',
    [appId],
  );
  return row?.otp_secret ?? null;
}

/** Writes what using a code changed, of settings that were locked before. */
export async function updateCodes(tx: Tx, appId: string, codes: CodeState): Promise<void> {
  await tx.write(
    'UPDATE payout_settings SET otp_last_step = $2, otp_failures = $3, otp_locked_until_ms = $4 WHERE app_id = $1',
    [appId, codes.lastStep, codes.failures, codes.lockedUntilMs],
  );
}

/** Sets the sealed secret of the app's codes; with null no codes are asked for. Resets the state of the codes. */
export async function replaceCodeSecret(tx: Tx, appId: string, sealed: Buffer | null): Promise<void> {
  await tx.write(
    `UPDATE payout_settings SET otp_secret = $2, otp_last_step = -1, otp_failures = 0, otp_locked_until_ms = 0
     WHERE app_id = $1`,
    [appId, sealed],
  );
}

/** Writes the rules of settings that were locked before, without those that the operator set for the merchant. */
export async function updateRules(
  tx: Tx,
  appId: string,
  rules: Omit<PayoutRules, 'feePpm' | 'ceiling'>,
): Promise<void> {
  await tx.write(
    `UPDATE payout_settings SET fee_mode = $2, max_value = $3, max_day_value = $4, approval_above = $5,
       address_list = $6, cooling_s = $7
     WHERE app_id = $1`,
    [
      appId,
      rules.feeMode,
      textOf(rules.maxValue),
      textOf(rules.maxDayValue),
      textOf(rules.approvalAbove),
      rules.isAddressListOn,
      rules.coolingS,
    ],
  );
}

function textOf(value: bigint | null): string | null {
  return value === null ? null : value.toString();
}

function toSettings(row: SettingsRow): PayoutSettings {
  const value = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    merchantId: row.merchant_id,
    ceiling: { maxValue: value(row.payout_max_value), maxDayValue: value(row.payout_max_day_value) },
    feePpm: BigInt(row.fee_ppm),
    feeMode: row.fee_mode,
    maxValue: value(row.max_value),
    maxDayValue: value(row.max_day_value),
    approvalAbove: value(row.approval_above),
    isAddressListOn: row.address_list,
    coolingS: row.cooling_s,
    isCodeOn: row.has_code,
    codes: {
      lastStep: row.otp_last_step,
      failures: row.otp_failures,
      lockedUntilMs: row.otp_locked_until_ms,
    },
  };
}
