// Token transfers of one transaction: Transfer logs of contracts that were asked for, and nothing that looks like them.
import type { Currency } from '@ducat/core/chain/currency';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { hexOf, type Json } from '../wire/json.ts';
import type { ValueTransfer } from './value-transfer.ts';

/** keccak256("Transfer(address,address,uint256)"). */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const contract = /^[0-9a-f]{40}$/;
const addressTopic = /^0{24}[0-9a-f]{40}$/;
const wordDigits = 64;

export interface TokenTransfers {
  readonly transfers: readonly ValueTransfer[];
  /** Whether every log says whose it is; one that does not is no log of a token that was asked for. */
  readonly isClear: boolean;
}

/**
 * The transfers that the logs of a successful call show, in order. What the call returned is not looked at: USDT
 * answers false when it has moved the money. The position counts the logs of this transaction alone. Throws Outage
 * 'invalid' where a log of such a token is not written as nodes write it: no contract can cause that.
 */
export function tokenTransfers(logs: readonly Json[], tokens: ReadonlyMap<string, Currency>): TokenTransfers {
  const transfers: ValueTransfer[] = [];
  let isClear = true;
  for (const [index, log] of logs.entries()) {
    const address = hexOf(log['address'], 'the address of a log');
    const currency = tokens.get(address);
    if (currency === undefined) isClear = isOfAnother(address, tokens) && isClear;
    else {
      const transfer = transferIn(log, index, currency);
      if (transfer !== null) transfers.push(transfer);
    }
  }
  return { transfers, isClear };
}

/** Null where the log is none of a transfer. */
function transferIn(log: Json, index: number, currency: Currency): ValueTransfer | null {
  const [signature, from = '', to = '', ...more] = topicsOf(log);
  // ERC-721 shares the first topic but indexes the token id too, and some tokens index nothing.
  if (signature !== transferTopic || more.length > 0) return null;
  const data = hexOf(log['data'], 'the data of a log');
  if (data.length !== wordDigits || !addressTopic.test(from) || !addressTopic.test(to)) return null;
  const units = BigInt(`0x${data}`);
  if (units === 0n) return null;
  return { currency, position: `log:${index}`, from: addressOf(from), to: addressOf(to), units };
}

/** False where it is not written in 20 bytes, and so nobody's. */
function isOfAnother(address: string, tokens: ReadonlyMap<string, Currency>): boolean {
  if (contract.test(address)) return true;
  if ([...tokens.keys()].some((token) => address.endsWith(token)))
    throw invalidAnswer('answered with a log of a token whose address is not 20 bytes as hex');
  return false;
}

function topicsOf(log: Json): readonly string[] {
  const topics = log['topics'] ?? [];
  if (!Array.isArray(topics)) throw invalidAnswer('answered with topics that are no list');
  return topics.map((topic: unknown) => hexOf(topic, 'a topic', 32));
}

function addressOf(topic: string): string {
  return `41${topic.slice(24)}`;
}
