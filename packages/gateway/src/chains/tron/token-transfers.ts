// Token movements of one transaction: Transfer logs of allow-listed contracts, and nothing that looks like them.
import type { Currency } from '@ducat/core/chain/currency';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { Movement } from './movement.ts';
import { hexOf, type Json } from './node-json.ts';

/** keccak256("Transfer(address,address,uint256)"). */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const addressTopic = /^0{24}[0-9a-f]{40}$/;
const addressDigits = 40;
const wordDigits = 64;

export interface TokenMovements {
  readonly movements: readonly Movement[];
  /** Whether every log says whose it is; one that does not is no log of a watched token. */
  readonly isClear: boolean;
}

/**
 * The movements that the logs of a successful call tell of, in order. What the call returned is not looked at: USDT
 * answers false when it has moved the money. The position counts the logs of this transaction alone. Throws LyingNode
 * where a log of a watched token is not told as nodes tell them: its contract writes none that could be told so.
 */
export function tokenMovements(logs: readonly Json[], tokens: ReadonlyMap<string, Currency>): TokenMovements {
  const movements: Movement[] = [];
  let isClear = true;
  for (const [index, log] of logs.entries()) {
    const contract = contractOf(log, tokens);
    if (contract === null) isClear = false;
    const currency = tokens.get(contract ?? '');
    if (currency === undefined) continue;
    const [signature, from = '', to = '', ...more] = topicsOf(log);
    // ERC-721 shares the first topic but indexes the token id too, and some tokens index nothing.
    if (signature !== transferTopic || more.length > 0) continue;
    const data = hexOf(log['data'], 'the data of a log');
    if (data.length !== wordDigits || !addressTopic.test(from) || !addressTopic.test(to)) continue;
    const units = BigInt(`0x${data}`);
    if (units === 0n) continue;
    movements.push({ currency, position: `log:${index}`, from: addressOf(from), to: addressOf(to), units });
  }
  return { movements, isClear };
}

/** The contract of a log, null where it is not told in 20 bytes. */
function contractOf({ address }: Json, tokens: ReadonlyMap<string, Currency>): string | null {
  const told = hexOf(address, 'the address of a log');
  if (told.length === addressDigits) return `41${told}`;
  if ([...tokens.keys()].some((token) => told.endsWith(token.slice(2))))
    throw new LyingNode('answered with a log of a token whose address is not 20 bytes as hex');
  return null;
}

function topicsOf(log: Json): readonly string[] {
  const topics = log['topics'] ?? [];
  if (!Array.isArray(topics)) throw new LyingNode('answered with topics that are no list');
  return topics.map((topic: unknown) => hexOf(topic, 'a topic', 32));
}

function addressOf(topic: string): string {
  return `41${topic.slice(24)}`;
}
