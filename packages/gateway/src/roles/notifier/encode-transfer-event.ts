// Writes the body of a TRANSFER webhook: the contract's fields in the contract's order, as the exact text to send.
import type { EventBodyOf } from '@ducat/contract/events/registry';
import { assert } from '@ducat/core/assert';
import { formatAmount } from '@ducat/core/money/decimal';
import type { EncodeTransferEvent } from '@ducat/core/webhook/event';

/** What the body says about a currency beside its number. */
export interface TransferEventCurrency {
  readonly decimals: number;
  /** The id of the currency's chain on the wire, 0 where the family has none. */
  readonly chainId: number;
  /** The token's contract in the form shown to people; a native currency's symbol. */
  readonly contract: string;
}

/** The encoder for these currencies, by currency id. It asserts that it knows the currency of a payout. */
export function createTransferEventEncoder(
  currencies: ReadonlyMap<number, TransferEventCurrency>,
): EncodeTransferEvent {
  return (event, payout) => {
    const currency = currencies.get(payout.currencyId);
    assert(currency !== undefined, `a payout is in currency ${payout.currencyId}, which is not configured`);
    const body: EventBodyOf<'TRANSFER'> = {
      appid: payout.appId,
      chain: payout.chain,
      chain_id: currency.chainId,
      contract: currency.contract,
      currency_id: payout.currencyId,
      status: event.status,
      time: event.time,
      token_amount: formatAmount(payout.amount, currency),
      trade_no: event.tradeNo,
      txid: event.txId,
      type: event.type,
    };
    return JSON.stringify(body);
  };
}
