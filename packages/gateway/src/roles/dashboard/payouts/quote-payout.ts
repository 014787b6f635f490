// payouts.quote: what a payout would cost now, and what would refuse it. Nothing is bound.
import { type Amount, amountOf, subtract, zero } from '@ducat/core/money/amount';
import { NO_CEILING, openPayout, type OpenedPayout, type PayoutRules } from '@ducat/core/payout/open-payout';
import { checkOrderRefund } from '@ducat/core/payout/order-refund';
import type { Result } from '@ducat/core/result';
import { readBalances } from '../../../db/tables/books/ledger.ts';
import type { App } from '../../../db/tables/apps.ts';
import { findOrder, type OrderRecord } from '../../../db/tables/orders/orders.ts';
import { readSentBack } from '../../../db/tables/payouts/order-refunds.ts';
import { readDayValues } from '../../../db/tables/payouts/day-values.ts';
import { readListing, type ListedFor } from '../../../db/tables/payouts/payout-addresses.ts';
import { readSettings } from '../../../db/tables/payouts/payout-settings.ts';
import { answer, type Handler, refused, unknown } from '../call.ts';
import type { PayoutWish, QuotedPayout } from '../data-port.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { findOwnApp } from '../apps/own-app.ts';
import { readTexts, seconds, usdText } from '../texts.ts';
import { presentCost } from './read-payout.ts';

const DAY_S = 86_400;

export const handlePayoutQuote: Handler<'payouts.quote'> = async (call, request) => {
  const { app_id: appId, refund_of: orderNo, ...wish } = request;
  const app = await findOwnApp(call, appId);
  if (app === null) return unknown('app');
  const order = orderNo === undefined ? null : await findOrder(call.reader, appId, orderNo);
  if (orderNo !== undefined && order === null) return unknown('order');
  const checked = await checkPayout(call, app, wish);
  if (!checked.ok) return refused(checked.refusal);
  const { quoted, opened, costs, rules, dayValue, operable, listed } = checked.value;
  const sendable = order === null ? opened : await sendableOf(call, order, quoted, opened);
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const day = quoted.value === null ? null : dayValue + quoted.value;
  return answer({
    now: seconds(call.nowMs),
    ...presentCost({ ...costs, networkFee: quoted.networkFee }, texts),
    fee_mode: rules.feeMode,
    value_usd: usdText(quoted.value),
    operable: texts.amount(operable),
    operable_after: texts.amount(subtract(operable, costs.reserved)),
    needs_approval: opened.ok && opened.value.needsApproval,
    day_value_usd: rules.maxDayValue === null ? null : usdText(day),
    day_limit_usd: usdText(rules.maxDayValue),
    refusal: sendable.ok
      ? null
      : {
          code: sendable.refusal.code,
          field: sendable.refusal.field ?? '',
          message: sendable.refusal.message,
        },
    listed: listed === null ? null : { label: listed.label, usable_from: listed.at + rules.coolingS },
  });
};

/** The refusal as a refund of the order, else the decision on it as a payout. */
async function sendableOf(
  { reader }: MerchantCall,
  order: OrderRecord,
  { currency, amount }: QuotedPayout,
  opened: Result<unknown>,
): Promise<Result<unknown>> {
  const sentBack = await readSentBack(reader, order.tradeNo, order.currencyId);
  const allowed = checkOrderRefund({ ...order, sentBack }, currency, amount);
  return allowed.ok ? opened : allowed;
}

export interface CheckedPayout {
  readonly quoted: QuotedPayout;
  /** The decision on the same request, if the payout were made now. */
  readonly opened: Result<OpenedPayout>;
  /**
   * The amounts of the payout, decided without limits, address list and balance, so that they are known for a refused one
   * too.
   */
  readonly costs: OpenedPayout['terms'];
  readonly rules: PayoutRules;
  readonly dayValue: bigint;
  readonly operable: Amount;
  readonly listed: ListedFor | null;
}

/** Makes the same decision as creating a payout, over the rows of now; the flow decides again under locks. */
export async function checkPayout(
  { deps, reader, nowMs }: MerchantCall,
  app: App,
  wish: PayoutWish,
): Promise<Result<CheckedPayout>> {
  const quote = await deps.merchantApi.quotePayout(app, wish);
  if (!quote.ok) return quote;
  const quoted = quote.value;
  const { currency, chain, to } = quoted;
  const rules = await readSettings(reader, app.appId);
  if (rules === null) throw new Error(`app ${app.appId} is gone`);
  const now = seconds(nowMs);
  const listed = await readListing(reader, app.appId, { family: chain.family, address: to });
  const operable =
    (await readBalances(reader, app.appId)).get(currency.currencyId)?.operable ?? zero(currency.currencyId);
  const day = await readDayValues(reader, app.appId, rules, now - DAY_S);
  const ledger = { ...day, operable, listedAt: listed?.at ?? null };
  const opened = openPayout(quoted, rules, ledger, now);
  const free = openPayout(
    quoted,
    { ...rules, ...UNBOUND },
    { ...ledger, operable: amountOf(currency.currencyId, ENDLESS) },
    now,
  );
  if (!free.ok) return free;
  return {
    ok: true,
    value: { quoted, opened, costs: free.value.terms, rules, dayValue: day.dayValue, operable, listed },
  };
}

/** Rules that refuse no payout, because the costs are shown even where the payout would be refused. */
const UNBOUND = {
  maxValue: null,
  maxDayValue: null,
  approvalAbove: null,
  isAddressListOn: false,
  ceiling: NO_CEILING,
};

/** More base units than any chain counts. */
const ENDLESS = 2n ** 300n;
