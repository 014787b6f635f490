// Decodes a block from its proven header, its transactions and their receipts.
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf, type CurrencyId } from '@ducat/core/money/amount';
import type { ChainBlock } from '../../port/reader.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { DecodedTransaction } from './decode-transaction.ts';
import { internalTransactions } from './internal-transactions.ts';
import { type Place, transferAt } from '../../port/transfer-at.ts';
import type { ProvenBodies } from './proven-bodies.ts';
import type { TronQuery } from './query.ts';
import type { Receipt } from './receipts.ts';
import { tokenTransfers } from './token-transfers.ts';

export interface TronChain {
  readonly name: string;
  /** The currency in which fees are paid. */
  readonly nativeId: CurrencyId;
  /** Shared by all providers of the chain. */
  readonly bodies: ProvenBodies;
}

/** The transaction is null where the provider does not show it: then only its token transfers are known. */
export interface Executed {
  readonly transaction: DecodedTransaction | null;
  readonly receipt: Receipt;
}

export type Contents = Pick<ChainBlock, 'transfers' | 'proposals' | 'inclusions'>;

/**
 * Throws Outage 'invalid' where a token's log has another form than nodes write, and where it is unclear how a transaction
 * of ours ended.
 */
export function decodeBlock(
  chain: TronChain,
  block: BlockHeader,
  executed: readonly Executed[],
  query: TronQuery,
): Contents {
  const transfers: Transfer[] = [];
  const proposals: Transfer[] = [];
  const inclusions: Inclusion[] = [];
  for (const { transaction, receipt } of executed) {
    const place = { chain: chain.name, txId: receipt.id, block };
    if (transaction === null) {
      if (query.txIds.has(receipt.id)) throw invalidAnswer(`does not show our transaction ${receipt.id}`);
      if (receipt.saysSuccess) transfers.push(...tokenTransfers(place, receipt.logs, query.tokens));
      continue;
    }
    if (query.txIds.has(receipt.id)) inclusions.push(inclusionOf(chain, place, transaction, receipt));
    const { outcome, contract } = transaction;
    if (outcome !== 'succeeded') continue;
    // mark: bytes-with-one-meaning
    if (contract.value !== null && query.native !== null)
      transfers.push(transferAt(place, 'value', query.native.currencyId, contract.value));
    // The effect of code comes from its execution, and not from the bytes of the call, which may be unclear.
    if (!contract.runsCode || !receipt.saysSuccess) continue;
    transfers.push(...tokenTransfers(place, receipt.logs, query.tokens));
    if (query.native !== null) proposals.push(...internalTransactions(place, receipt.internal, query.native));
  }
  return { transfers, proposals, inclusions };
}

/**
 * Throws Outage 'invalid' where the block does not say how our transaction ended. If it were left out, it would count as in
 * no block, and be paid again. A transaction that runs no code is in a block only if it succeeded, whatever its producer
 * wrote.
 */
function inclusionOf(
  { nativeId }: TronChain,
  place: Place,
  { outcome, contract: { owner, runsCode } }: DecodedTransaction,
  { fee }: Receipt,
): Inclusion {
  const isClear = outcome === 'succeeded' || (outcome === 'failed' && runsCode);
  // mark: ours-ended-somehow
  if (owner === null || !isClear) throw invalidAnswer(`does not say how our transaction ${place.txId} ended`);
  return { ...place, status: outcome, payer: owner, fee: amountOf(nativeId, fee) };
}
