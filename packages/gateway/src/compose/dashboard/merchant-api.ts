// Lets a signed-in person use what the API does for an app, with the same checks and flows.
import { payoutAmount } from '@ducat/core/payout/open-payout';
import { accept, refuse, type Result } from '@ducat/core/result';
import type { ApiDeps } from '../../roles/api/api-deps.ts';
import { handleCreateOrder } from '../../roles/api/endpoints/create-order.ts';
import { createPayoutFor } from '../../roles/api/endpoints/create-payout.ts';
import { handleCreateQrCode } from '../../roles/api/endpoints/create-qr-code.ts';
import type { Call } from '../../roles/api/handler.ts';
import { codeStepOf } from '../../roles/api/payouts/code-step-of.ts';
import { destinationOf } from '../../roles/api/payouts/destination-of.ts';
import { priceTransfer, quotePayout } from '../../roles/api/payouts/quote-payout.ts';
import { createOrderBatches } from '../../roles/api/orders/order-batches.ts';
import { createPoolFiller } from '../../roles/api/orders/pool-filler.ts';
import { payableCurrency } from '../../roles/api/usable-currency.ts';
import type { ApiCall, MerchantApi, TestOrder } from '../../roles/dashboard/data-port.ts';

export function createMerchantApi(deps: ApiDeps): MerchantApi {
  const fillPool = createPoolFiller(deps);
  const orders = createOrderBatches({ ...deps, fillPool, watched: (work) => work });
  const callOf = ({ app, name, transact }: ApiCall): Call => ({
    app,
    deps: { ...deps, transact },
    fillPool,
    orders,
    // No request of the API has a signature of this form, so the two cannot collide.
    name: { key: `key:${name}`, signature: name },
  });
  return {
    createPayout: async (call, request) => {
      const { shown, refund } = call;
      const bound = {
        ...(shown === undefined ? {} : { shown }),
        ...(refund === undefined ? {} : { refund }),
      };
      const made = await createPayoutFor(callOf(call), request, bound);
      return made.ok ? accept({ tradeNo: made.value.trade_no }) : made;
    },
    quotePayout: async (app, request) => {
      const call = callOf({ app, name: 'dashboard:quote', transact: deps.transact });
      const listing = await payableCurrency(call, request.currency_id);
      if (!listing.ok) return listing;
      const { chain, currency } = listing.value;
      const amount = payoutAmount(request.amount, currency);
      if (!amount.ok) return amount;
      const to = await destinationOf(call, listing.value, request.to_address);
      if (!to.ok) return to;
      const quote = await quotePayout(call, listing.value, { to: to.value, amount: amount.value });
      return quote.ok
        ? accept({ ...quote.value, chain, currency, amount: amount.value, to: to.value })
        : quote;
    },
    priceRefund: async (app, { amount, to: typed, otp_code: code }) => {
      const call = callOf({ app, name: 'dashboard:refund', transact: deps.transact });
      const listing = await payableCurrency(call, amount.currencyId);
      if (!listing.ok) return listing;
      const { chain, currency } = listing.value;
      const to = await destinationOf(call, listing.value, typed);
      if (!to.ok) return to;
      const priced = await priceTransfer(call, listing.value, { to: to.value, amount });
      if (!priced.ok) return priced;
      const { gas: leastGas, ...quote } = priced.value;
      const codeStep = await codeStepOf(call, code);
      return accept({ ...quote, leastGas, codeStep, chain, currency, toAddress: to.value });
    },
    createTestOrder: (call, outTradeNo) => createTestOrder(callOf(call), outTradeNo),
    createQrCode: async (call, request) => {
      const made = await handleCreateQrCode(callOf(call), request);
      return made.ok ? accept({ qrCodeId: made.value.id }) : made;
    },
  };
}

/** Makes an order for one whole token: in USDT where USDT is on, else in the first currency that is on. */
async function createTestOrder(call: Call, outTradeNo: string): Promise<Result<TestOrder>> {
  const listed = call.deps.catalogue.listed();
  const { currency } = listed.find((one) => one.currency.symbol === 'USDT') ?? listed[0] ?? {};
  if (currency === undefined)
    return refuse({ code: 'starting', message: 'no currency is on yet: try again in a moment' });
  const { currencyId } = currency;
  const order = { out_trade_no: outTradeNo, currency_id: currencyId, token_amount: '1' };
  const made = await handleCreateOrder(call, order);
  if (!made.ok) return made;
  const { trade_no: tradeNo, pay_address: address, amount } = made.value;
  return accept({ tradeNo, currencyId, address, amount });
}
