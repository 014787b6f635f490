// Checks the answer for an order: it is what was asked for, and no other order was answered with its address.
import type { Findings } from './findings.ts';
import { type AnsweredOrder, contractOf } from '../actors/shoppers.ts';
import { CHECKOUT_URL } from '../actors/sim-api.ts';

/** What is known of the request apart from the answer. */
export interface Asking {
  /** The expiry that was asked for. */
  readonly timeOut: number;
  /** The order was created between these two, in Unix seconds by any clock of the run. */
  readonly earliest: number;
  readonly latest: number;
}

export function checkOrderAnswer(
  order: AnsweredOrder,
  asking: Asking,
  others: readonly AnsweredOrder[],
  findings: Findings,
): void {
  const { plan, answer, tradeNo, address, createTime, timeExpire } = order;
  const { definition } = plan.chain;
  const wanted = [
    definition.name,
    plan.currency.symbol,
    contractOf(plan.currency),
    plan.currency.decimals,
    definition.series === 'ETH' ? definition.chainId : 0,
    definition.confirmations,
    0,
    '0',
  ];
  const { chain, token, contract, decimal, chain_id, need_confirms, already_confirms } = answer;
  const answered = [
    chain,
    token,
    contract,
    decimal,
    chain_id,
    need_confirms,
    already_confirms,
    answer.amount_collected,
  ];
  findings.expect(
    JSON.stringify(answered) === JSON.stringify(wanted),
    '14 answered with the right contract',
    `${tradeNo} was answered with ${answered.join(' ')} and must be ${wanted.join(' ')}`,
  );
  const page = `${CHECKOUT_URL}/${tradeNo}`;
  findings.expect(
    answer.entrust_url === page,
    '23 an order has its own page',
    `${tradeNo} was answered with the page ${answer.entrust_url}, and its own is ${page}`,
  );
  findings.expect(
    timeExpire === asking.timeOut && createTime >= asking.earliest && createTime <= asking.latest,
    '23 the terms asked for',
    `${tradeNo} was answered from ${createTime} to ${timeExpire}, asked for until ${asking.timeOut}`,
  );
  for (const other of others) {
    findings.expect(
      other.tradeNo !== tradeNo && other.address !== address,
      '18 an address for one order',
      `${address} of ${tradeNo} was answered for ${other.tradeNo} of ${other.plan.app.appId} too`,
    );
  }
}
