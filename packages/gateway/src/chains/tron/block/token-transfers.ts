// Token transfers of one transaction: Transfer logs of contracts that were asked for, and no similar logs.
import type { Currency } from '@ducat/core/chain/currency';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Json } from '../wire/json.ts';
import { type Place, transferAt } from '../../port/transfer-at.ts';

/** keccak256("Transfer(address,address,uint256)"). */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const addressTopic = /^0{24}[0-9a-f]{40}$/;
const wordDigits = 64;

/**
 * The transfers that the logs of a successful call show, in order. The call's return value is ignored, because USDT returns
 * false when it has moved the money. The position counts only the logs of this transaction. Throws Outage 'invalid' where a
 * log has another form than nodes write: no contract can cause that.
 */
export function tokenTransfers(
  place: Place,
  logs: readonly Json[],
  tokens: ReadonlyMap<string, Currency>,
): readonly Transfer[] {
  const transfers: Transfer[] = [];
  for (const [index, log] of logs.entries()) {
    const currency = tokens.get(log.get('address').asHex('the address of a log', 20));
    if (currency === undefined) continue;
    const [signature, from = '', to = '', ...more] = log
      .get('topics')
      .asList('topics')
      .map((topic) => topic.asHex('a topic', 32));
    // ERC-721 shares the first topic but indexes the token id too, and some tokens index nothing.
    if (signature !== transferTopic || more.length > 0) continue;
    const data = log.get('data').asHex('the data of a log');
    if (data.length !== wordDigits || !addressTopic.test(from) || !addressTopic.test(to)) continue;
    const value = { from: addressOf(from), to: addressOf(to), units: BigInt(`0x${data}`) };
    if (value.units > 0n) transfers.push(transferAt(place, `log:${index}`, currency.currencyId, value));
  }
  return transfers;
}

function addressOf(topic: string): string {
  return `41${topic.slice(24)}`;
}
