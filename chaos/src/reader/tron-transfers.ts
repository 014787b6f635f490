// Reads what reached our addresses on Tron, from the solid blocks of a dev node, without any code of the product.
import type { ChainTransfer, FinalChain } from './chain-transfers.ts';
import { plainAddress } from './plain-address.ts';
import { askSolidity, type Fields, fieldsOf, headerOf, listOf, textOf, wholeOf } from './tron-answers.ts';

/** The facts about the chain that are needed to read it. */
export interface ReadableTron {
  readonly name: string;
  /** The solidity port: it shows solid blocks alone. */
  readonly solidityUrl: string;
  readonly coins: readonly { readonly currencyId: number; readonly contract: string | null }[];
}

/** The hash of `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The first byte of an address on Tron, in hex. Logs hold only the 20 bytes after it. */
const PREFIX = '41';

/** Reads everything up to the solid block. */
export async function readTronChain(
  { name, solidityUrl, coins }: ReadableTron,
  ours: ReadonlySet<string>,
): Promise<FinalChain> {
  const own = coins.find(({ contract }) => contract === null)?.currencyId ?? 0;
  const tokens = new Map<string, number>();
  for (const { contract, currencyId } of coins)
    if (contract !== null) tokens.set(plainAddress(contract), currencyId);
  const ask = (call: string, body: Fields) => askSolidity(solidityUrl, call, body);
  const { number: last, time: finalTime } = headerOf(await ask('getblock', { detail: false }));
  const transfers: ChainTransfer[] = [];
  for (let number = 1; number <= last; number += 1) {
    const block = await ask('getblock', { id_or_num: String(number), detail: true });
    const header = headerOf(block);
    if (header.number !== number) throw new Error(`${name} shows ${header.number} for block ${number}`);
    const transactions = listOf(fieldsOf(block)['transactions']);
    if (transactions.length === 0) continue;
    const receipts = listOf(await ask('gettransactioninfobyblocknum', { num: number }));
    const moved = [...coinsIn(transactions, own), ...tokensIn(transactions, receipts, tokens)];
    const inBlock = { chain: name, block: number, time: header.time };
    for (const one of moved.toSorted((a, b) => a.place - b.place))
      if (ours.has(one.to)) transfers.push({ ...one, ...inBlock });
  }
  return { name, finalBlock: last, finalTime, transfers };
}

type Moved = Pick<ChainTransfer, 'hash' | 'to' | 'currencyId' | 'units' | 'place'>;

/** TRX, in transfers that succeeded; payers of a run send none through contracts. */
function coinsIn(transactions: readonly Fields[], currencyId: number): readonly Moved[] {
  return transactions.flatMap((transaction, place) => {
    const [contract] = listOf(fieldsOf(transaction['raw_data'])['contract']);
    const [result] = listOf(transaction['ret']);
    if (contract?.['type'] !== 'TransferContract' || result?.['contractRet'] !== 'SUCCESS') return [];
    const { to_address: to, amount } = fieldsOf(fieldsOf(contract['parameter'])['value']);
    const hash = textOf(transaction['txID']);
    return [{ hash, to: textOf(to), currencyId, units: BigInt(wholeOf(amount)), place }];
  });
}

/** Tokens by the logs of receipts, each matched to its transaction by id. */
function tokensIn(
  transactions: readonly Fields[],
  receipts: readonly Fields[],
  tokens: ReadonlyMap<string, number>,
): readonly Moved[] {
  const hashes = transactions.map(({ txID }) => textOf(txID));
  if (receipts.length !== hashes.length) throw new Error('a block has not as many receipts as transactions');
  return receipts.flatMap((receipt) => {
    const hash = textOf(receipt['id']);
    const place = hashes.indexOf(hash);
    if (place < 0) throw new Error(`the receipt of ${hash} is not of its block`);
    if (receipt['result'] === 'FAILED') return [];
    return listOf(receipt['log']).flatMap((log): readonly Moved[] => {
      const currencyId = tokens.get(PREFIX + textOf(log['address']));
      const topics: readonly unknown[] = Array.isArray(log['topics']) ? log['topics'] : [];
      if (currencyId === undefined || topics[0] !== TRANSFER_TOPIC || topics.length !== 3) return [];
      const to = PREFIX + textOf(topics[2]).slice(-40);
      return [{ hash, to, currencyId, units: BigInt(`0x${textOf(log['data'])}`), place }];
    });
  });
}
