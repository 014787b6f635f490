// Reads what left our addresses on an EVM chain, block by block from the node, without any code of the product.
import { createPublicClient, http, parseAbiItem } from 'viem';
import type { ReadableChain } from '../reader/chain-transfers.ts';
import type { SentOnChain, SentTransaction, SentTransfer } from './sent-on-chain.ts';

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const BLOCKS_AT_ONCE = 500n;

/** Reads up to the newest block, because a transaction that is not final yet was sent all the same. */
export async function readSentOnEvm(
  { name: chain, rpcUrl, coins }: ReadableChain,
  ours: ReadonlySet<string>,
): Promise<SentOnChain> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const last = await client.getBlockNumber({ cacheTime: 0 });
  const own = coins.find(({ contract }) => contract === null)?.currencyId ?? 0;
  const transactions: SentTransaction[] = [];
  const transfers: SentTransfer[] = [];
  for (let blockNumber = 0n; blockNumber <= last; blockNumber += 1n) {
    const block = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const { hash, from, to, value: units } of block.transactions) {
      if (!ours.has(from.toLowerCase())) continue;
      const { status } = await client.getTransactionReceipt({ hash });
      const succeeded = status === 'success';
      transactions.push({ chain, hash, succeeded });
      if (succeeded && units > 0n)
        transfers.push({ chain, hash, to: to?.toLowerCase() ?? '', currencyId: own, units });
    }
  }
  for (const { contract: address, currencyId } of coins) {
    if (address === null) continue;
    for (let fromBlock = 0n; fromBlock <= last; fromBlock += BLOCKS_AT_ONCE) {
      const end = fromBlock + BLOCKS_AT_ONCE - 1n;
      const toBlock = end < last ? end : last;
      const logs = await client.getLogs({ address, event: transferEvent, fromBlock, toBlock, strict: true });
      for (const { args, transactionHash: hash } of logs) {
        if (!ours.has(args.from.toLowerCase())) continue;
        transfers.push({ chain, hash, to: args.to.toLowerCase(), currencyId, units: args.value });
      }
    }
  }
  return { transactions, transfers };
}
