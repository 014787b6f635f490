// What it would cost the gas wallet to send coin to an address of ours.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { add, type Amount, amountOf, compare } from '@ducat/core/money/amount';
import { leastFeeCap } from '@ducat/core/outgoing/least-fee-cap';
import type { CollectChain } from './parts.ts';
import { gasWallet } from './wallets.ts';

export interface FundingEstimate {
  /** The gas wallet. */
  readonly from: string;
  readonly expected: Amount;
  /** Twice the most that the transfer could cost now, and `leastFeeCap` at least. */
  readonly feeCap: Amount;
  readonly isShort: boolean;
}

/** Throws Outage where the chain or the signer is away. */
export async function estimateFunding(
  collector: CollectChain,
  to: string,
  amount: Amount,
): Promise<FundingEstimate> {
  const { writer } = collector;
  const currency = nativeCurrency(writer.definition);
  const from = await gasWallet(collector);
  const estimate = await writer.estimate({ from, to, currency, amount });
  const nothing = amountOf(currency.currencyId, 1n);
  if (estimate.outcome === 'impossible') return { from, expected: nothing, feeCap: nothing, isShort: true };
  const { expected, most, shortOf } = estimate;
  const [twice, least] = [add(most, most), leastFeeCap(writer.definition.family, currency.currencyId)];
  const feeCap = compare(twice, least) < 0 ? least : twice;
  return { from, expected, feeCap, isShort: shortOf.length > 0 };
}
