// Payouts in the words of the contract.
import type { DataOf } from '@ducat/contract/endpoints/registry';
import { add } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import type { Payout } from '@ducat/core/payout/payout';
import type { Listing } from '../catalogue.ts';
import type { Presenting } from '../present.ts';

/** The answer of payout/create. It says nothing that changes with the payout: a repetition gives the same bytes. */
export function presentCreatedPayout(payout: Payout, { currency }: Listing): DataOf<'create-payout'> {
  return {
    cost: formatAmount(add(payout.serviceCharge, payout.gas), currency),
    actual_receipt: formatAmount(payout.receipt, currency),
    trade_no: payout.tradeNo,
    estimated_transfer: formatAmount(payout.reserved, currency),
  };
}

/** The answer of payout/detail. */
export function presentPayout(
  payout: Payout,
  { chain, currency }: Listing,
  { addressSchemes }: Pick<Presenting, 'addressSchemes'>,
): DataOf<'payout-detail'> {
  return {
    trade_no: payout.tradeNo,
    service_charge: formatAmount(payout.serviceCharge, currency),
    gas: formatAmount(payout.gas, currency),
    token: currency.symbol,
    amount: formatAmount(payout.amount, currency),
    target_address: addressSchemes[chain.family].display(payout.toAddress),
    start_time: payout.startTime ?? 0,
    created_time: payout.createTime,
    status: payout.status,
  };
}
