// Writes the body of a QR_PAYMENT webhook: the contract's fields in the contract's order, as the exact text to send.
import type { EventBodyOf } from '@ducat/contract/events/registry';
import { assert } from '@ducat/core/assert';
import { formatAmount } from '@ducat/core/money/decimal';
import type { EncodeQrPaymentEvent } from '@ducat/core/webhook/qr-payment-event';

/** What the body says about a currency beside its number. */
export interface QrPaymentEventCurrency {
  readonly decimals: number;
  /** The id of the currency's chain on the wire, 0 where the family has none. */
  readonly chainId: number;
  /** The token's contract in the form shown to people; a native currency's symbol. */
  readonly contract: string;
  /** Turns an address of the currency's chain into the form shown to people. */
  readonly display: (address: string) => string;
}

/** The encoder for these currencies, by currency id. It asserts that it knows the currency of a payment. */
export function createQrPaymentEventEncoder(
  currencies: ReadonlyMap<number, QrPaymentEventCurrency>,
): EncodeQrPaymentEvent {
  return ({ type, tradeNo, appId, status, transfer }) => {
    const { chain, txId, from, to, amount, block } = transfer;
    const currency = currencies.get(amount.currencyId);
    assert(currency !== undefined, `a payment is in currency ${amount.currencyId}, which is not configured`);
    const body: EventBodyOf<'QR_PAYMENT'> = {
      appid: appId,
      trade_no: tradeNo,
      type,
      chain,
      chain_id: currency.chainId,
      contract: currency.contract,
      txid: txId,
      currency_id: amount.currencyId,
      from_address: currency.display(from),
      to_address: currency.display(to),
      token_amount: formatAmount(amount, currency),
      status,
      time: block.time,
    };
    return JSON.stringify(body);
  };
}
