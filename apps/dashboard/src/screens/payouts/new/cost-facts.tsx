// What a payout moves, at the cost of one quote: what arrives, what it costs, what leaves and what remains.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { addDecimals, trimZeros } from '../../../format/amounts.ts';
import { Money } from '../../../parts/money.tsx';
import { Fact } from '../../../parts/page.tsx';
import { words } from '../../../words/words.ts';

export type PayoutCost = ResponseOf<'payouts.quote'>;

/** Service charge and network fee together. */
export function mostCostOf({ service_charge: charge, gas }: PayoutCost): string {
  return addDecimals(charge, gas);
}

interface CostFactsProps {
  readonly quote: PayoutCost;
  readonly symbol: string;
}

export function CostFacts({ quote, symbol }: CostFactsProps) {
  const { newPayout: text, payout } = words;
  const money = (amount: string) => <Money amount={trimZeros(amount, 2)} symbol={symbol} />;
  return (
    <>
      <Fact name={payout.receives}>{money(quote.receipt)}</Fact>
      <Fact name={payout.cost}>{money(mostCostOf(quote))}</Fact>
      <Fact name={payout.leaves}>{money(quote.reserved)}</Fact>
      <Fact name={text.remains}>{money(quote.operable_after)}</Fact>
    </>
  );
}
