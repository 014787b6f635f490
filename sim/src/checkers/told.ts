// When a merchant is told of an order: the answer is what was asked for, and no other order was told with its address.
import type { Findings } from './findings.ts';
import { contractOf, type ToldOrder } from '../actors/shoppers.ts';
import { CHECKOUT_URL } from '../actors/sim-api.ts';

/** What is known of the asking apart from the answer. */
export interface Asking {
  /** The expiry that was asked for. */
  readonly timeOut: number;
  /** Between these two the order was made, in Unix seconds by any clock of the run. */
  readonly earliest: number;
  readonly latest: number;
}

export function checkTold(
  order: ToldOrder,
  asking: Asking,
  others: readonly ToldOrder[],
  findings: Findings,
): void {
  const { wish, answer, tradeNo, address, createTime, timeExpire } = order;
  const { definition } = wish.chain;
  const wanted = [
    definition.name,
    wish.currency.symbol,
    contractOf(wish.currency),
    wish.currency.decimals,
    definition.series === 'ETH' ? definition.chainId : 0,
    definition.confirmations,
    0,
    '0',
  ];
  const { chain, token, contract, decimal, chain_id, need_confirms, already_confirms } = answer;
  const told = [
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
    JSON.stringify(told) === JSON.stringify(wanted),
    '14 told the right contract',
    `${tradeNo} was told with ${told.join(' ')} and must be ${wanted.join(' ')}`,
  );
  const page = `${CHECKOUT_URL}/${tradeNo}`;
  findings.expect(
    answer.entrust_url === page,
    '23 an order has its own page',
    `${tradeNo} was told with the page ${answer.entrust_url}, and its own is ${page}`,
  );
  findings.expect(
    timeExpire === asking.timeOut && createTime >= asking.earliest && createTime <= asking.latest,
    '23 the terms asked for',
    `${tradeNo} was told from ${createTime} to ${timeExpire}, asked for until ${asking.timeOut}`,
  );
  for (const other of others) {
    findings.expect(
      other.tradeNo !== tradeNo && other.address !== address,
      '18 an address for one order',
      `${address} of ${tradeNo} was told for ${other.tradeNo} of ${other.wish.app.appId} too`,
    );
  }
}
