// Decides on a whole run, beyond single answers: orders in the database, memory and the log.
import type { FuzzResult } from './run-fuzz.ts';

/** Everything that is wrong with a run; empty when all is well. `orders` are the out_trade_no in the database. */
export function verdict(
  { findings, memory, ordered }: FuzzResult,
  orders: readonly string[],
  errors: readonly string[],
): readonly string[] {
  const standing = new Set(orders);
  const lost = [...ordered].filter((number) => !standing.has(number));
  const invented = orders.filter((number) => !ordered.has(number));
  return [
    ...(findings.length > 0 ? [`${findings.length} answers were wrong`] : []),
    ...(lost.length > 0
      ? [`${lost.length} acknowledged orders are not there: ${lost.slice(0, 3).join(' ')}`]
      : []),
    ...(invented.length > 0 ? [`${invented.length} orders were never acknowledged`] : []),
    ...(orders.length !== standing.size ? ['an order stands twice'] : []),
    ...(memory.hasGrown === true ? ['the memory has grown'] : []),
    ...errors.slice(0, 5).map((line) => `the gateway complained: ${line.slice(0, 300)}`),
  ];
}
