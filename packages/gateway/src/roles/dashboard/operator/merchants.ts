// For operators: merchants, their fees and limits, and suspending all apps of a merchant.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { listMerchants, type MerchantListRow } from '../../../db/reports/dashboard/operator/merchant-list.ts';
import type { Reader, Tx } from '../../../db/postgres/tx.ts';
import { insertMember } from '../../../db/tables/access/memberships.ts';
import { lockMerchant } from '../../../db/tables/apps.ts';
import { createInvitation } from '../../../flows/access/create-invitation.ts';
import { changeApp } from '../../../flows/merchants/change-app.ts';
import { changeMerchant } from '../../../flows/merchants/change-merchant.ts';
import { createMerchant } from '../../../flows/merchants/create-merchant.ts';
import { limitMerchant } from '../../../flows/merchants/limit-merchant.ts';
import { suspendMerchant } from '../../../flows/merchants/suspend-merchant.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { newInvitationId, newMerchantId } from '../../../runtime/ids.ts';
import { answer, type Answer, type Call, type Handler, refusal, unknown } from '../call.ts';
import { alreadyMade, madeOnce } from '../clicks/made-once.ts';
import { DEFAULT_ROWS, nextOf } from '../merchant-scope.ts';
import { mailInvitation } from '../notices/mail-invitation.ts';
import { CLOSED } from '../sign-up/closed.ts';
import { limitTexts, seconds, usdOf } from '../texts.ts';
import { versionOf } from '../version.ts';

export const handleMerchantList: Handler<'merchants.list'> = async (
  { deps },
  { cursor = null, limit = DEFAULT_ROWS },
) => {
  const merchants = await listMerchants(deps.reader, { behind: cursor, limit });
  return answer({
    merchants: merchants.map(presentMerchant),
    next_cursor: nextOf(merchants, limit, ({ merchantId }) => merchantId),
  });
};

type Presented = ResponseOf<'merchants.list'>['merchants'][number];

function presentMerchant(row: MerchantListRow): Presented {
  const { merchantId, name, depositFeePpm, payoutFeePpm, isSuspended, limits, apps } = row;
  const settled = {
    merchant_id: merchantId,
    name,
    deposit_fee_ppm: depositFeePpm,
    payout_fee_ppm: payoutFeePpm,
    is_suspended: isSuspended,
    limits: limitTexts(limits),
  };
  return {
    ...settled,
    created_at: seconds(row.createdAtMs),
    is_from_sign_up: row.isFromSignUp,
    apps,
    version: versionOf(settled),
  };
}

async function readMerchant(reader: Reader, merchantId: string): Promise<Presented | null> {
  const [row] = await listMerchants(reader, { behind: null, merchantId, limit: 1 });
  return row === undefined ? null : presentMerchant(row);
}

export const handleMerchantCreate: Handler<'merchants.create'> = async (call, request) => {
  const { deps, nowMs, session } = call;
  const { name, deposit_fee_ppm: depositFeePpm, payout_fee_ppm: payoutFeePpm, owner_email: owner } = request;
  const isInvited = owner !== undefined && owner.toLowerCase() !== session.person.email;
  if (isInvited && deps.signUp === 'closed') return CLOSED;
  const merchantId = newMerchantId(deps.world);
  const make = async (tx: Tx): Promise<Answer<ResponseOf<'merchants.create'>>> => {
    await createMerchant(tx, { merchantId, name, depositFeePpm, createdAtMs: nowMs });
    await changeMerchant(tx, { merchantId, payoutFeePpm });
    const invitation = owner === undefined ? null : await giveOwner(tx, call, { merchantId, name, owner });
    const detail = owner === undefined ? name : `${name}, owner ${owner}`;
    await call.record(tx, { subject: merchantId, merchantId, detail });
    return answerMerchant(await readMerchant(tx, merchantId), invitation);
  };
  const again = async (made: string) =>
    isInvited
      ? alreadyMade(
          `merchant ${made}`,
          `the link of its owner. Make another one by ducat people invite if nobody kept it`,
        )
      : answerMerchant(await readMerchant(deps.reader, made), null);
  return madeOnce(call, { operation: 'merchants.create', request, subject: merchantId }, { make, again });
};

function answerMerchant(
  merchant: Presented | null,
  invitation: ResponseOf<'merchants.create'>['invitation'],
): Answer<ResponseOf<'merchants.create'>> {
  return merchant === null ? unknown('merchant') : answer({ merchant, invitation });
}

/** Only for a new merchant, which holds nothing yet: an operator must not give anyone rights over existing money. */
async function giveOwner(
  tx: Tx,
  call: Call<'merchants.create'>,
  { merchantId, name, owner }: { readonly merchantId: string; readonly name: string; readonly owner: string },
): Promise<ResponseOf<'team.invite'> | null> {
  const { deps, nowMs, session } = call;
  const { personId, email } = session.person;
  if (owner.toLowerCase() === email) {
    await insertMember(tx, { merchantId, personId, role: 'owner', sinceMs: nowMs });
    return null;
  }
  const token = newToken(deps.world);
  const invitation = {
    invitationId: newInvitationId(deps.world),
    tokenHash: hashOfToken(token),
    email: owner,
    merchantId,
    role: 'owner',
    invitedBy: personId,
    createdAtMs: nowMs,
  } as const;
  const untilMs = await createInvitation(tx, invitation);
  return mailInvitation(tx, call, { ...invitation, merchantName: name, token, untilMs });
}

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

export const handleLimitsChange: Handler<'merchants.change-limits'> = (call, request) => {
  const { subject_merchant_id: merchantId, limits } = request;
  return changeFrom(call, request, JSON.stringify(limits), async (tx) => {
    await limitMerchant(tx, merchantId, {
      payoutMaxValue: usdOf(limits.payout_max_usd),
      payoutMaxDayValue: usdOf(limits.payout_max_day_usd),
      maxOpenOrders: limits.max_open_orders,
    });
  });
};

export const handleMerchantSwitch: Handler<'merchants.switch'> = (call, request) => {
  const { subject_merchant_id: merchantId, is_suspended: isSuspended, reason } = request;
  return changeFrom(call, request, `${isSuspended ? 'suspended' : 'resumed'}: ${reason}`, (tx) =>
    suspendMerchant(tx, merchantId, isSuspended),
  );
};

export const handleAppSwitchOn: Handler<'merchants.switch-app-on'> = async (
  { deps, record },
  { app_id: appId, reason },
) => {
  const changed = await deps.transact(async (tx) => {
    const done = await changeApp(tx, { appId, enabled: true });
    if (done.outcome === 'changed')
      await record(tx, { subject: appId, merchantId: done.app.merchantId, detail: `switched on: ${reason}` });
    return done;
  });
  return changed.outcome === 'app-unknown' ? unknown('app') : answer({});
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
