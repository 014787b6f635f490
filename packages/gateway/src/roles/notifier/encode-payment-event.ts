// Writes the body of a PAYMENT webhook: the contract's fields in the contract's order, as the exact text to send.
import type { EventBodyOf } from '@ducat/contract/events/registry';
import { assert } from '@ducat/core/assert';
import { formatAmount } from '@ducat/core/money/decimal';
import type { EncodePaymentEvent } from '@ducat/core/webhook/event';

/** What the body says about a currency beside its number. */
export interface PaymentEventCurrency {
  readonly decimals: number;
  /** The id of the currency's chain on the wire, 0 where the family has none. */
  readonly chainId: number;
}

/** The encoder for these currencies, by currency id. It asserts that it knows the currency of an order. */
export function createPaymentEventEncoder(
  currencies: ReadonlyMap<number, PaymentEventCurrency>,
): EncodePaymentEvent {
  return (event, order) => {
    const currency = currencies.get(order.currencyId);
    assert(currency !== undefined, `an order is in currency ${order.currencyId}, which is not configured`);
    const body: EventBodyOf<'PAYMENT'> = {
      appid: order.appId,
      trade_no: event.tradeNo,
      out_trade_no: order.outTradeNo,
      amount_collected: formatAmount(event.collected, currency),
      amount: order.fiatAmount,
      token_amount: formatAmount(order.due, currency),
      chain: order.chain,
      chain_id: currency.chainId,
      type: event.type,
      currency_id: order.currencyId,
      txid: event.txId,
      status: event.status,
      time: event.time,
      redirect_url: order.redirectUrl,
    };
    return JSON.stringify(body);
  };
}
