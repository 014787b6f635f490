// For operators: merchants, what they pay, and switching all apps of one off.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { listMerchants, type MerchantListRow } from '../../../db/reports/dashboard/operator/merchant-list.ts';
import type { Reader, Tx } from '../../../db/postgres/tx.ts';
import { lockMerchant } from '../../../db/tables/apps.ts';
import { changeMerchant } from '../../../flows/merchants/change-merchant.ts';
import { createMerchant } from '../../../flows/merchants/create-merchant.ts';
import { switchApps } from '../../../flows/merchants/switch-apps.ts';
import { newMerchantId } from '../../../runtime/ids.ts';
import { answer, type Answer, type Call, type Handler, refusal, unknown } from '../call.ts';
import { DEFAULT_ROWS, nextOf } from '../merchant-scope.ts';
import { seconds } from '../texts.ts';
import { versionOf } from '../version.ts';

export const handleMerchantList: Handler<'merchants.list'> = async (
  { deps },
  { cursor = '', limit = DEFAULT_ROWS },
) => {
  const merchants = await listMerchants(deps.reader, { behind: cursor, limit });
  return answer({
    merchants: merchants.map(presentMerchant),
    next_cursor: nextOf(merchants, limit, ({ merchantId }) => merchantId),
  });
};

type Presented = ResponseOf<'merchants.list'>['merchants'][number];

function presentMerchant(row: MerchantListRow): Presented {
  const { merchantId, name, depositFeePpm, payoutFeePpm, apps, appsOn } = row;
  const settled = {
    merchant_id: merchantId,
    name,
    deposit_fee_ppm: depositFeePpm,
    payout_fee_ppm: payoutFeePpm,
    is_suspended: apps > 0 && appsOn === 0,
  };
  return { ...settled, created_at: seconds(row.createdAtMs), apps, version: versionOf(settled) };
}

async function readMerchant(reader: Reader, merchantId: string): Promise<Presented | null> {
  const [row] = await listMerchants(reader, { behind: '', merchantId, limit: 1 });
  return row === undefined ? null : presentMerchant(row);
}

export const handleMerchantCreate: Handler<'merchants.create'> = async (call, request) => {
  const { deps, nowMs } = call;
  const { name, deposit_fee_ppm: depositFeePpm, payout_fee_ppm: payoutFeePpm } = request;
  const merchantId = newMerchantId(deps.world);
  const merchant = await deps.transact(async (tx) => {
    await createMerchant(tx, { merchantId, name, depositFeePpm, createdAtMs: nowMs });
    await changeMerchant(tx, { merchantId, payoutFeePpm });
    await call.record(tx, { subject: merchantId, merchantId, detail: name });
    return readMerchant(tx, merchantId);
  });
  return merchant === null ? unknown('merchant') : answer({ merchant });
};

export const handleFeesChange: Handler<'merchants.change-fees'> = (call, request) => {
  const {
    subject_merchant_id: merchantId,
    deposit_fee_ppm: depositFeePpm,
    payout_fee_ppm: payoutFeePpm,
  } = request;
  const detail = `deposits ${depositFeePpm} ppm, payouts ${payoutFeePpm} ppm`;
  return changeFrom(call, request, detail, async (tx) => {
    await changeMerchant(tx, { merchantId, depositFeePpm, payoutFeePpm });
  });
};

export const handleMerchantSwitch: Handler<'merchants.switch'> = (call, request) => {
  const { subject_merchant_id: merchantId, is_suspended: isSuspended, reason } = request;
  return changeFrom(call, request, `${isSuspended ? 'suspended' : 'resumed'}: ${reason}`, (tx) =>
    switchApps(tx, merchantId, !isSuspended),
  );
};

/** In one transaction: compares the version under a lock, changes, and writes the entry of the audit log. */
async function changeFrom(
  { deps, record }: Call<'merchants.switch'>,
  {
    subject_merchant_id: merchantId,
    version,
  }: { readonly subject_merchant_id: string; readonly version: string },
  detail: string,
  change: (tx: Tx) => Promise<void>,
): Promise<Answer<{ merchant: Presented }>> {
  const result = await deps.transact(async (tx) => {
    await lockMerchant(tx, merchantId);
    const before = await readMerchant(tx, merchantId);
    if (before === null) return null;
    if (before.version !== version) return 'changed';
    await change(tx);
    await record(tx, { subject: merchantId, merchantId, detail });
    return readMerchant(tx, merchantId);
  });
  if (result === null) return unknown('merchant');
  if (result === 'changed') return refusal('changed', 'this merchant was changed meanwhile: look again');
  return answer({ merchant: result });
}
