// What a block holds, from its proven header, its transactions and their receipts.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { Transfer } from '@ducat/core/chain/transfer';
import { amountOf, type CurrencyId } from '@ducat/core/money/amount';
import type { ChainBlock, Undecoded } from '../../port/reader.ts';
import { decodeTransfers } from './decode-transfers.ts';
import type { DecodedTransaction } from './decode-transaction.ts';
import type { TronQuery } from './query.ts';
import type { Receipt } from './receipts.ts';
import { tokenTransfers } from './token-transfers.ts';
import { type Place, transferAt } from './value-transfer.ts';

/** Which chain it is, and what fees are paid in. */
export interface TronChain {
  readonly name: string;
  readonly nativeId: CurrencyId;
}

/** Null where the provider does not show the transaction: then only its tokens are known. */
export interface Executed {
  readonly transaction: DecodedTransaction | null;
  readonly receipt: Receipt;
}

export type Contents = Pick<ChainBlock, 'transfers' | 'proposals' | 'inclusions' | 'undecoded'>;

/** Throws Outage 'invalid' where a log of a token is not written as nodes write it. */
export function decodeBlock(
  chain: TronChain,
  block: BlockHeader,
  executed: readonly Executed[],
  query: TronQuery,
): Contents {
  const transfers: Transfer[] = [];
  const proposals: Transfer[] = [];
  const inclusions: Inclusion[] = [];
  const undecoded: Undecoded[] = [];
  for (const { transaction, receipt } of executed) {
    const txId = receipt.id;
    const place = { chain: chain.name, txId, block };
    if (transaction === null) {
      const tokens = receipt.saysSuccess ? tokenTransfers(receipt.logs, query.tokens).transfers : [];
      for (const one of tokens) transfers.push(transferAt(place, one));
      continue;
    }
    const decoded = decodeTransfers(transaction, receipt, query);
    for (const one of decoded.transfers) transfers.push(transferAt(place, one));
    for (const one of decoded.proposals) proposals.push(transferAt(place, one));
    for (const reason of decoded.undecoded) undecoded.push({ txId, reason });
    if (query.txIds.has(txId)) inclusions.push(...inclusionOf(chain, place, transaction, receipt));
  }
  return { transfers, proposals, inclusions, undecoded };
}

/** None where the block does not say how the transaction ended, or the transaction is not written as ours are. */
function inclusionOf(
  { nativeId }: TronChain,
  place: Place,
  { outcome, contract: { owner } }: DecodedTransaction,
  { fee }: Receipt,
): readonly Inclusion[] {
  if (owner === null || (outcome !== 'succeeded' && outcome !== 'failed')) return [];
  return [{ ...place, status: outcome, payer: owner, fee: amountOf(nativeId, fee) }];
}
