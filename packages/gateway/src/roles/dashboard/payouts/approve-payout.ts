// payouts.approval and payouts.approve: shows exactly what a second person signs, and keeps the signature for the signer.
import { createHash } from 'node:crypto';
import { zero } from '@ducat/core/money/amount';
import type { ApprovalProblem } from '@ducat/core/payout/approval-terms';
import { type ApprovalTerms, approvedPayout } from '@ducat/core/signing/approved-payout';
import { approvalBytes, APPROVAL_VERSION, type ApprovedPayout } from '@ducat/core/signing/approval-bytes';
import type { PayoutListRow } from '../../../db/reports/dashboard/money/payout-list.ts';
import { readAddressUse } from '../../../db/reports/dashboard/money/payout-address-use.ts';
import { readBalances } from '../../../db/tables/books/ledger.ts';
import { readValueSince } from '../../../db/tables/payouts/day-values.ts';
import { readListing } from '../../../db/tables/payouts/payout-addresses.ts';
import { readSettings } from '../../../db/tables/payouts/payout-settings.ts';
import { approveAsked } from '../../../flows/payouts/approve-asked.ts';
import { signatureProblem } from '../../../keys/approvers.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import type { DataDeps } from '../data-port.ts';
import { chainNamed, readTexts, seconds, usdText } from '../texts.ts';
import { findOwnPayout, presentPayout } from './payout-rows.ts';

const HOUR_S = 3_600;
const DAY_S = 86_400;
/**
 * While the signer is asked with an earlier approval, no new one is taken. A signer refuses within a second, and the
 * transaction then waits again. A signer that does not answer is not waited for.
 */
const TRY_AGAIN_MS = 500;
const MOST_TRIES = 7;

export const handleApproval: Handler<'payouts.approval'> = async (call, request) => {
  const { reader, nowMs, deps } = call;
  const payout = await findOwnPayout(call, request.trade_no);
  if (payout === null) return unknown('payout');
  const now = seconds(nowMs);
  const until = now + request.hours * HOUR_S;
  const approved = whatIsSigned(deps, payout, {
    approver: request.approver,
    expiry: until,
    feeCap: null,
  });
  if (approved === null) return refusal('currency-off', 'the chain of this payout is not configured');
  const { appId, currencyId, toAddress } = payout;
  const family = chainNamed(deps, payout.chain)?.family ?? '';
  const settings = await readSettings(reader, appId);
  const balance = (await readBalances(reader, appId)).get(currencyId)?.operable ?? zero(currencyId);
  const listed = await readListing(reader, appId, { family, address: toAddress });
  const texts = await readTexts({ ...deps, reader });
  const bytes = Buffer.from(approvalBytes(approved));
  const dayLimit = settings?.maxDayValue ?? null;
  const day = dayLimit === null ? null : await readValueSince(reader, appId, now - DAY_S);
  return answer({
    payout: presentPayout(payout, texts),
    to_used: await readAddressUse(reader, appId, toAddress),
    to_listed_since: listed?.at ?? null,
    operable_after: texts.amount(balance),
    day_value_usd: usdText(day),
    day_limit_usd: usdText(dayLimit),
    max_fee_currency_id: payout.feeCap.currencyId,
    max_fee: texts.amount(payout.feeCap),
    until,
    signed: {
      version: APPROVAL_VERSION,
      payout_id: approved.payoutId,
      chain_id: approved.chainId,
      contract: approved.contract ?? '',
      to: approved.to,
      base_units: approved.baseUnits.toString(),
      fee_cap: approved.feeCap.toString(),
      expiry: approved.expiry,
      approver: approved.approver,
    },
    bytes: bytes.toString('hex'),
    bytes_hash: hashOf(bytes),
  });
};

export const handleApprove: Handler<'payouts.approve'> = async (call, request) => {
  const { deps, nowMs, session } = call;
  const { trade_no: tradeNo, approver, until, fee_cap: feeCap, bytes_hash: bytesHash, signature } = request;
  const payout = await findOwnPayout(call, tradeNo);
  if (payout === null) return unknown('payout');
  const approved = whatIsSigned(deps, payout, { approver, expiry: until, feeCap: BigInt(feeCap) });
  // The signature is kept only if the person saw exactly these bytes.
  const bytes = approved === null ? null : approvalBytes(approved);
  if (bytes === null || hashOf(bytes) !== bytesHash)
    return refusal('changed', 'the payout reads otherwise than what was signed: look at it again');
  const problem = signatureProblem(deps.approvers, approver, { bytes, signature });
  const wrong = faults[problem ?? ''];
  if (wrong !== undefined) return refusal('field-invalid', wrong.text, { field: wrong.field });
  const { personId } = session.person;
  const approval = { approver, feeCap: BigInt(feeCap), expiry: until, signature, approvedAtMs: nowMs };
  const approve = () =>
    deps.transact(async (tx) => {
      const made = await approveAsked(tx, { tradeNo, personId, approval });
      const what = `as ${approver} until ${until}, signed ${bytesHash}`;
      if (made === 'moved') await call.record(tx, { subject: tradeNo, detail: what });
      // A person's attempt to be their own second person is recorded.
      if (made === 'own-payout' || made === 'own-key')
        await call.record(tx, { subject: tradeNo, detail: `refused, ${made}: ${what}` });
      return made;
    });
  let outcome = await approve();
  for (let tries = 1; outcome === 'at-the-signer' && tries < MOST_TRIES; tries += 1) {
    await deps.world.sleep(TRY_AGAIN_MS);
    outcome = await approve();
  }
  if (outcome === 'own-payout')
    return refusal('not-permitted', 'a second person approves: not the one who asked for the payout');
  if (outcome === 'own-key')
    return refusal(
      'not-permitted',
      'a second person approves: not one who was shown the key it was asked with',
    );
  const fault = faults[outcome];
  if (fault !== undefined) return refusal('field-invalid', fault.text, { field: fault.field });
  if (outcome === 'at-the-signer')
    return refusal(
      'conflict',
      'the signer is asked with an earlier approval just now: try again in a moment',
    );
  if (outcome !== 'moved')
    return refusal('changed', 'the payout is on its way or has ended: nothing was approved');
  const after = await findOwnPayout(call, tradeNo);
  if (after === null) return unknown('payout');
  return answer({ payout: presentPayout(after, await readTexts({ ...deps, reader: call.reader })) });
};

/** The field at fault, and what is wrong with it. */
const faults: Readonly<Partial<Record<string, { readonly field: string; readonly text: string }>>> = {
  'approver-unknown': {
    field: 'approver',
    text: "is no approver of this gateway: the operator puts your public key under this name into the signer's policy and under [approvers] of ducat.toml, and starts both again",
  },
  'signature-wrong': { field: 'signature', text: 'is not the signature of this approver' },
  'approval-ended': { field: 'until', text: 'has passed already' },
  'approval-too-long': { field: 'until', text: 'must be at most 720 hours ahead' },
  'approval-fee-too-high': { field: 'fee_cap', text: 'is more than the payout may cost' },
} satisfies Record<ApprovalProblem | NonNullable<ReturnType<typeof signatureProblem>>, unknown>;

/** Null where the chain or the currency is configured no more. */
function whatIsSigned(
  { catalogue }: Pick<DataDeps, 'catalogue'>,
  payout: PayoutListRow,
  terms: ApprovalTerms,
): ApprovedPayout | null {
  const listing = catalogue.find(payout.currencyId);
  return listing === null ? null : approvedPayout(payout, listing, terms);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
