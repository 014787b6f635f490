// Reads what left our addresses on Tron, from the solid blocks of a dev node, without any code of the product.
import { plainAddress } from '../reader/plain-address.ts';
import {
  askSolidity,
  type Fields,
  fieldsOf,
  headerOf,
  listOf,
  textOf,
  wholeOf,
} from '../reader/tron-answers.ts';
import type { ReadableTron } from '../reader/tron-transfers.ts';
import type { SentOnChain, SentTransaction, SentTransfer } from './sent-on-chain.ts';

/** The hash of `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The first byte of an address on Tron, in hex. Logs hold only the 20 bytes after it. */
const PREFIX = '41';

/** Reads up to the solid block. */
export async function readSentOnTron(
  { name: chain, solidityUrl, coins }: ReadableTron,
  ours: ReadonlySet<string>,
): Promise<SentOnChain> {
  const own = coins.find(({ contract }) => contract === null)?.currencyId ?? 0;
  const tokens = new Map<string, number>();
  for (const { contract, currencyId } of coins)
    if (contract !== null) tokens.set(plainAddress(contract), currencyId);
  const sent: SentOnChain[] = [];
  const { number: last } = headerOf(await askSolidity(solidityUrl, 'getblock', { detail: false }));
  for (let number = 1; number <= last; number += 1) {
    const block = await askSolidity(solidityUrl, 'getblock', { id_or_num: String(number), detail: true });
    const transactions = listOf(fieldsOf(block)['transactions']);
    if (transactions.length === 0) continue;
    const receipts = listOf(await askSolidity(solidityUrl, 'gettransactioninfobyblocknum', { num: number }));
    for (const one of transactions) sent.push(coinsOf(one, chain, own, ours));
    for (const one of receipts)
      sent.push({ transactions: [], transfers: tokensOf(one, chain, tokens, ours) });
  }
  return {
    transactions: sent.flatMap(({ transactions }) => transactions),
    transfers: sent.flatMap(({ transfers }) => transfers),
  };
}

function coinsOf(
  transaction: Fields,
  chain: string,
  currencyId: number,
  ours: ReadonlySet<string>,
): SentOnChain {
  const [contract] = listOf(fieldsOf(transaction['raw_data'])['contract']);
  const value = fieldsOf(fieldsOf(contract?.['parameter'])['value']);
  if (!ours.has(textOf(value['owner_address']))) return { transactions: [], transfers: [] };
  const [result] = listOf(transaction['ret']);
  const hash = textOf(transaction['txID']);
  const succeeded = result?.['contractRet'] === 'SUCCESS';
  const transactions: readonly SentTransaction[] = [{ chain, hash, succeeded }];
  if (!succeeded || contract?.['type'] !== 'TransferContract') return { transactions, transfers: [] };
  const [to, units] = [textOf(value['to_address']), BigInt(wholeOf(value['amount']))];
  return { transactions, transfers: [{ chain, hash, to, currencyId, units }] };
}

function tokensOf(
  receipt: Fields,
  chain: string,
  tokens: ReadonlyMap<string, number>,
  ours: ReadonlySet<string>,
): readonly SentTransfer[] {
  if (receipt['result'] === 'FAILED') return [];
  const hash = textOf(receipt['id']);
  return listOf(receipt['log']).flatMap((log): readonly SentTransfer[] => {
    const currencyId = tokens.get(PREFIX + textOf(log['address']));
    const topics: readonly unknown[] = Array.isArray(log['topics']) ? log['topics'] : [];
    if (currencyId === undefined || topics[0] !== TRANSFER_TOPIC || topics.length !== 3) return [];
    const [from, to] = [1, 2].map((place) => PREFIX + textOf(topics[place]).slice(-40));
    if (from === undefined || to === undefined || !ours.has(from)) return [];
    return [{ chain, hash, to, currencyId, units: BigInt(`0x${textOf(log['data'])}`) }];
  });
}
