// Token movements of one transaction: Transfer logs of allow-listed contracts, and nothing that looks like them.
import type { Currency } from '@ducat/core/chain/currency';
import type { Movement } from './movement.ts';
import type { RawReceipt } from './raw-block.ts';

/** keccak256("Transfer(address,address,uint256)"). */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const addressTopic = /^0x0{24}[0-9a-f]{40}$/;
const wordLength = 66;

/**
 * The movements that a successful receipt's logs tell of, in order. The amount is the log's, which is what
 * arrives even where the token takes a fee. The position counts the logs of this receipt alone, so it does
 * not change when the transaction is included again elsewhere.
 */
export function tokenMovements(
  receipt: RawReceipt,
  watched: ReadonlyMap<string, Currency>,
): readonly Movement[] {
  const movements: Movement[] = [];
  for (const [index, log] of receipt.logs.entries()) {
    // ERC-721 shares the first topic but indexes the token id too, and some tokens index nothing.
    if (log.topics.length !== 3 || log.topics[0]?.toLowerCase() !== transferTopic) continue;
    const currency = watched.get(log.address.toLowerCase());
    if (currency === undefined || log.data.length !== wordLength) continue;
    const from = log.topics[1]?.toLowerCase() ?? '';
    const to = log.topics[2]?.toLowerCase() ?? '';
    if (!addressTopic.test(from) || !addressTopic.test(to)) continue;
    const units = BigInt(log.data);
    if (units === 0n) continue;
    movements.push({ currency, position: `log:${index}`, from: addressOf(from), to: addressOf(to), units });
  }
  return movements;
}

function addressOf(topic: string): string {
  return `0x${topic.slice(26)}`;
}
