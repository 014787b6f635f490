// QR codes of a merchant: lists, payments, a new one, and switching one off or on.
import { isAppOn } from '@ducat/core/access/app-state';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import {
  listMerchantQrCodes,
  listQrPayments,
  type QrCodeRow,
} from '../../../db/reports/dashboard/qr-code-list.ts';
import { switchQrCode } from '../../../flows/qr/switch-qr-code.ts';
import { findOwnApp, SWITCHED_OFF } from '../apps/own-app.ts';
import { answer, type Handler, refusal, refused, unknown } from '../call.ts';
import type { ApiCall } from '../data-port.ts';
import { appsOf, DEFAULT_ROWS, type MerchantCall, nextOf } from '../merchant-scope.ts';
import { readTexts, seconds, type Texts } from '../texts.ts';

/** Payments of a code are counted and summed up to this many, in a list and on the page of the code. */
const COUNTED_IN_A_LIST = 100;
const COUNTED_OF_ONE = 10_000;
const MAX_ID = 2_147_483_647;

export const handleQrCodeList: Handler<'qr-codes.list'> = async (call, request) => {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return unknown('app');
  const before = request.cursor === undefined ? MAX_ID : Number(request.cursor);
  if (!Number.isSafeInteger(before))
    return refusal('field-invalid', 'is no next_cursor', { field: 'cursor' });
  const limit = request.limit ?? DEFAULT_ROWS;
  const appIds = apps.map(({ appId }) => appId);
  const codes = await listMerchantQrCodes(call.reader, {
    appIds,
    before,
    limit,
    countTo: COUNTED_IN_A_LIST + 1,
  });
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    qr_codes: codes.map((code) => presentQrCode(code, texts)),
    next_cursor: nextOf(codes, limit, ({ qrCodeId }) => String(qrCodeId)),
  });
};

type Presented = ResponseOf<'qr-codes.list'>['qr_codes'][number];

function presentQrCode(code: QrCodeRow, texts: Texts): Presented {
  return {
    qr_code_id: code.qrCodeId,
    app_id: code.appId,
    name: code.name,
    currency_id: code.currencyId,
    default_amount: texts.amount(code.defaultAmount),
    address: texts.address(code.chain, code.address),
    create_time: code.createTime,
    disabled_time: code.disabledTime,
    payments: code.payments,
    collected: texts.amount(code.collected),
  };
}

async function findOwnQrCode(
  call: Pick<MerchantCall, 'reader' | 'merchantId'>,
  qrCodeId: number,
): Promise<QrCodeRow | null> {
  const appIds = ((await appsOf(call)) ?? []).map(({ appId }) => appId);
  const page = { appIds, qrCodeId, before: MAX_ID, limit: 1, countTo: COUNTED_OF_ONE + 1 };
  return (await listMerchantQrCodes(call.reader, page))[0] ?? null;
}

export const handleQrCodeRead: Handler<'qr-codes.read'> = async (call, { qr_code_id: qrCodeId, cursor }) => {
  const code = await findOwnQrCode(call, qrCodeId);
  if (code === null) return unknown('QR code');
  const limit = DEFAULT_ROWS;
  const payments = await listQrPayments(call.reader, { qrCodeId, behind: cursor ?? '', limit });
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    qr_code: presentQrCode(code, texts),
    payments: payments.map(({ tradeNo, transfer, disposition }) => ({
      trade_no: tradeNo,
      amount: texts.amount(transfer.amount),
      tx_id: transfer.txId,
      position: transfer.position,
      from: transfer.from === '' ? '' : texts.address(transfer.chain, transfer.from),
      block_number: transfer.block.number,
      at: transfer.block.time,
      disposition,
    })),
    next_cursor: nextOf(payments, limit, ({ tradeNo }) => tradeNo),
  });
};

export const handleQrCodeCreate: Handler<'qr-codes.create'> = async (call, request) => {
  const { app_id: appId, request_id: requestId, currency_id, name, amount } = request;
  const app = await findOwnApp(call, appId);
  if (app === null) return unknown('app');
  if (!isAppOn(app)) return refusal('conflict', SWITCHED_OFF);
  if (app.kind !== 'QR_CODE')
    return refusal('conflict', 'this app takes orders: QR codes need an app of their kind');
  const transact: ApiCall['transact'] = (flow) =>
    call.deps.transact(async (tx) => {
      const result = await flow(tx);
      // The result is null where the address pool is empty. The pool is then filled, and this transaction runs again.
      if (result !== null) await call.record(tx, { subject: appId, detail: `a QR code called ${name}` });
      return result;
    });
  const apiCall = { app, name: `dashboard:${requestId}`, transact };
  const created = await call.deps.merchantApi.createQrCode(apiCall, { currency_id, name, amount });
  if (!created.ok) return refused(created.refusal);
  return answerQrCode(call, created.value.qrCodeId);
};

export const handleQrCodeSwitch: Handler<'qr-codes.switch'> = async (call, request) => {
  const { qr_code_id: qrCodeId, is_disabled: isDisabled } = request;
  if ((await findOwnQrCode(call, qrCodeId)) === null) return unknown('QR code');
  await call.deps.transact(async (tx) => {
    await switchQrCode(tx, { qrCodeId, isDisabled, now: seconds(call.nowMs) });
    await call.record(tx, { subject: String(qrCodeId), detail: isDisabled ? 'disabled' : 'enabled' });
  });
  return answerQrCode(call, qrCodeId);
};

async function answerQrCode(call: MerchantCall, qrCodeId: number) {
  const code = await findOwnQrCode(call, qrCodeId);
  if (code === null) return unknown('QR code');
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({ qr_code: presentQrCode(code, texts) });
}
