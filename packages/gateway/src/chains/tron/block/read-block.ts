// Reads one block from one view of one provider, and proves all that a block of Tron can prove.
import type { BlockQuery, ChainBlock } from '../../port/reader.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { decodeBlock, type TronChain } from './decode-block.ts';
import { type DecodedTransaction, decodeTransaction, rawBytesOf } from './decode-transaction.ts';
import { fetchBody } from './fetch-body.ts';
import { tronQuery } from './query.ts';
import { fetchReceipts, type Receipt } from './receipts.ts';

/**
 * The id follows from the header, and the transactions with their results give the root of that header. Logs and internal
 * transactions are in no root; they are matched to the transactions. A quorum compares token transfers by logs, and a
 * balance confirms an internal transaction. Null where this view does not have the block, or not all of it yet. Throws
 * Outage 'invalid' where something does not fit or is not shown.
 */
export async function readBlock(
  api: HttpApi,
  chain: TronChain,
  number: number,
  query: BlockQuery,
): Promise<ChainBlock | null> {
  const body = await fetchBody(api, number, chain.bodies);
  if (body === null) return null;
  const { proven, transactions } = body;
  const receipts = await fetchReceipts(api, proven, transactions?.map(({ id }) => id) ?? null);
  if (receipts === null) return null;
  const shown = transactions ?? (await fetchSingly(api, receipts, query.txIds));
  const executed = receipts.map((receipt, index) => ({ receipt, transaction: shown[index] ?? null }));
  const contents = decodeBlock(chain, proven.header, executed, tronQuery(query));
  return { header: proven.header, ...contents, isProven: false };
}

/** Transactions of ours are read one by one, so that no payer can hide them by the bytes of another transaction. */
function fetchSingly(api: HttpApi, receipts: readonly Receipt[], txIds: ReadonlySet<string>) {
  return Promise.all(receipts.map(async ({ id }) => (txIds.has(id) ? fetchTransaction(api, id) : null)));
}

async function fetchTransaction(api: HttpApi, value: string): Promise<DecodedTransaction | null> {
  const json = (await api('gettransactionbyid', { value })).asRecord('a transaction');
  const transaction = json.has('txID') ? decodeTransaction(json, rawBytesOf(json)) : null;
  return transaction?.id === value ? transaction : null;
}
