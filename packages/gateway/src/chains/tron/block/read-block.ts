// Reads one block from one view of one provider: everything is proven that a block of Tron can prove.
import type { BlockQuery, ChainBlock } from '../../port/reader.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { recordOf } from '../wire/json.ts';
import { decodeBlock, type Executed, type TronChain } from './decode-block.ts';
import { type DecodedTransaction, decodeTransaction, rawBytesOf } from './decode-transaction.ts';
import { fetchBody } from './fetch-body.ts';
import type { ProvenBodies } from './proven-bodies.ts';
import { tronQuery } from './query.ts';
import { fetchReceipts, type Receipt } from './receipts.ts';

export interface View {
  readonly api: HttpApi;
  /** Whether it shows only what cannot change any more. */
  readonly isFinal: boolean;
}

/**
 * The id follows from the header, and the transactions with their results give the root of that header. Logs and
 * internal transactions are in no root: they are matched to the transactions, and a quorum compares them. Null where
 * this view has no block there; throws Outage 'invalid' where something does not fit or is not shown.
 */
export async function readBlock(
  { api, isFinal }: View,
  chain: TronChain,
  bodies: ProvenBodies,
  number: number,
  query: BlockQuery,
): Promise<ChainBlock | null> {
  const body = await fetchBody(api, number, bodies);
  if (body === null) return null;
  const { proven, transactions } = body;
  const ids = transactions?.map(({ id }) => id) ?? null;
  const receipts = await fetchReceipts(api, proven, ids);
  const executed =
    transactions === null
      ? await onlyReceipts(api, receipts, query.txIds)
      : receipts.map((receipt, index) => ({ receipt, transaction: transactions[index] ?? null }));
  const contents = decodeBlock(chain, proven.header, executed, tronQuery(query));
  const isPrintable = transactions !== null;
  return {
    header: proven.header,
    ...contents,
    undecoded: isPrintable ? contents.undecoded : [...contents.undecoded, unprintable],
    isProven: false,
    // What could not be printed for a moment may be shown at the next reading.
    isFinalView: isFinal && isPrintable,
  };
}

const unprintable = { txId: null, reason: 'unprintable-block' } as const;

/** Transactions of ours are shown one by one, so that nobody hides them by what he writes into another one. */
function onlyReceipts(
  api: HttpApi,
  receipts: readonly Receipt[],
  txIds: ReadonlySet<string>,
): Promise<readonly Executed[]> {
  return Promise.all(
    receipts.map(async (receipt) => ({
      receipt,
      transaction: txIds.has(receipt.id) ? await fetchTransaction(api, receipt.id) : null,
    })),
  );
}

async function fetchTransaction(api: HttpApi, value: string): Promise<DecodedTransaction | null> {
  const json = recordOf(await api('gettransactionbyid', { value }), 'a transaction');
  const transaction = 'txID' in json ? decodeTransaction(json, rawBytesOf(json)) : null;
  return transaction?.id === value ? transaction : null;
}
