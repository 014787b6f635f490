// payout/create: one payout per call, however often and in parallel the call is sent.
import type { DataOf, RequestOf } from '@ducat/contract/endpoints/registry';
import { payoutAmount } from '@ducat/core/payout/open-payout';
import { fieldInvalid } from '@ducat/core/refusal';
import { accept, type Result, refuse } from '@ducat/core/result';
import { findPayoutByKey, type PayoutRecord } from '../../../db/tables/payouts/payouts.ts';
import { type CreatePayout, createPayout } from '../../../flows/payouts/create-payout.ts';
import { type RefundOf, refundOrder } from '../../../flows/payouts/refund-order.ts';
import { newPayoutNo } from '../../../runtime/ids.ts';
import { isPublicCallback } from '../../../http/callback-address.ts';
import { contentHash } from '../content-hash.ts';
import type { Call, Handler } from '../handler.ts';
import { codeStepOf } from '../payouts/code-step-of.ts';
import { destinationOf } from '../payouts/destination-of.ts';
import { presentCreatedPayout } from '../payouts/present-payout.ts';
import { quotePayout } from '../payouts/quote-payout.ts';
import { payableCurrency } from '../usable-currency.ts';

type Request = RequestOf<'create-payout'>;
type Data = DataOf<'create-payout'>;

export const handleCreatePayout: Handler<'create-payout'> = (call, request) =>
  createPayoutFor(call, request, {});

/** What a person of the dashboard gives beside the request. */
export interface BoundPayout extends Pick<CreatePayout, 'shown'> {
  /** The order whose payment the payout sends back. */
  readonly refund?: RefundOf;
}

/** `shown` is compared with the amounts that the payout binds, not with an earlier quote. */
export async function createPayoutFor(
  call: Call,
  request: Request,
  { refund, ...bound }: BoundPayout,
): Promise<Result<Data>> {
  const { app, deps, name } = call;
  // The one-time code is no part of the content: it proves who calls, and a repetition may carry the next code.
  const content = { ...request, refund_of: refund?.orderTradeNo };
  const inputHash = contentHash(content, (field) => field === 'otp_code');
  // This comes before any refusal: a repetition is answered even if the rate is stale or the balance is gone by now.
  const standing = await findPayoutByKey(deps.reader, app.appId, name.key);
  if (standing !== null) return answer(call, standing, inputHash);
  const input = await newPayout(call, request, inputHash);
  if (!input.ok) return input;
  const payout = { ...input.value, ...bound };
  const created = await deps.transact((tx) =>
    refund === undefined ? createPayout(tx, payout) : refundOrder(tx, payout, refund),
  );
  return created.outcome === 'refused' ? refuse(created.refusal) : answer(call, created.payout, inputHash);
}

/** Answers with the existing payout if its content is the same; refuses otherwise. */
function answer({ deps }: Call, payout: PayoutRecord, inputHash: string): Result<Data> {
  if (payout.inputHash === inputHash) {
    return accept(presentCreatedPayout(payout, deps.catalogue.ofTrade(payout)));
  }
  const message = 'this call was made before with other content: give it another Idempotency-Key';
  return refuse({ code: 'payout-conflict', message });
}

/** Everything that can be checked without a lock, cheapest first. */
async function newPayout(call: Call, request: Request, inputHash: string): Promise<Result<CreatePayout>> {
  const { app, deps } = call;
  const listing = await payableCurrency(call, request.currency_id);
  if (!listing.ok) return listing;
  const { chain, currency } = listing.value;
  const amount = payoutAmount(request.amount, currency);
  if (!amount.ok) return amount;
  const isCallable = (address: string) => deps.isCallableAddress(address);
  if (request.callback_url !== undefined && !isPublicCallback(new URL(request.callback_url), isCallable)) {
    return refuse(fieldInvalid('callback_url', 'must not name a private or local address'));
  }
  const to = await destinationOf(call, listing.value, request.to_address);
  if (!to.ok) return to;
  const quote = await quotePayout(call, listing.value, { to: to.value, amount: amount.value });
  if (!quote.ok) return quote;
  return accept({
    ...quote.value,
    tradeNo: newPayoutNo(deps.world),
    appId: app.appId,
    idempotencyKey: call.name.key,
    signature: call.name.signature,
    inputHash,
    chain,
    currency,
    amount: amount.value,
    toAddress: to.value,
    callbackUrl: request.callback_url ?? null,
    codeStep: await codeStepOf(call, request.otp_code),
    nowMs: deps.world.nowMs(),
  });
}
