// Checks that there was money at all: a run without payments compares nothing with nothing, and so proves nothing.
import type { ChainCounts } from '../audit.ts';
import type { Finding } from '../finding.ts';

/** Fewer orders than this may all be unpaid by chance: some customers never pay, and a fork can remove other payments. */
const ORDERS_WITHOUT_PAYMENT = 10;

/** `refusal` is what a node last said to a payer, null where none was refused. */
export function checkPaid(
  chains: readonly Pick<ChainCounts, 'name' | 'orders' | 'payments'>[],
  refusal: string | null,
): readonly Finding[] {
  const reason = refusal === null ? 'no node refused one' : `a node last said: ${refusal}`;
  const unpaid = chains.filter(({ orders, payments }) => payments === 0 && orders >= ORDERS_WITHOUT_PAYMENT);
  const paid = chains.reduce((sum, { payments }) => sum + payments, 0);
  if (unpaid.length === 0 && paid === 0)
    return [{ fault: 'wrong', what: `no chain had a final payment; ${reason}` }];
  return unpaid.map(({ name, orders }) => ({
    fault: 'wrong',
    what: `${name} had ${orders} orders and no final payment; ${reason}`,
  }));
}
