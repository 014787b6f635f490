// The payer of a hosted order chooses its currency: takes an address of that family, and writes one row with the quote.
import type { Amount } from '@ducat/core/money/amount';
import type { Quote } from '@ducat/core/money/rate';
import { type ChoiceDecision, decideChoice } from '@ducat/core/order/currency-choice';
import type { Tx } from '../../db/postgres/tx.ts';
import { readHostedState, takeAddress, writeChoice } from '../../db/tables/orders/hosted-orders.ts';
import { lockOrders } from '../../db/tables/orders/orders.ts';

export interface ChooseCurrency {
  readonly tradeNo: string;
  readonly chain: string;
  readonly family: string;
  readonly currencyId: number;
  /** The amount due in that currency, by the quote. */
  readonly due: Amount;
  readonly quote: Quote | null;
  readonly nowMs: number;
}

export type ChosenCurrency = 'chosen' | 'pool-empty' | 'unknown' | Exclude<ChoiceDecision, 'allowed'>;

/**
 * Changes only currency, address and amount due. The fiat amount, the expiry and the merchant stay (threat O09). A transfer
 * in the old currency that is accepted at this moment is booked as unassigned.
 */
export async function chooseCurrency(tx: Tx, choice: ChooseCurrency): Promise<ChosenCurrency> {
  const { tradeNo, currencyId, family, nowMs } = choice;
  const order = (await lockOrders(tx, [tradeNo])).get(tradeNo);
  if (order === undefined) return 'unknown';
  const hosted = await readHostedState(tx, tradeNo);
  if (hosted === null) return 'not-offered';
  const decision = decideChoice({ order, ...hosted }, currencyId, Math.floor(nowMs / 1000));
  if (decision !== 'allowed') return decision;
  const address = await takeAddress(tx, order, family);
  if (address === null) return 'pool-empty';
  await writeChoice(tx, { ...choice, number: hosted.choices + 1, atMs: nowMs }, address);
  return 'chosen';
}
