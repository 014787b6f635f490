// Takes from a proven block what concerns the currencies and transactions that are asked for.
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf, type CurrencyId } from '@ducat/core/money/amount';
import type { BlockQuery, ChainBlock } from '../../port/reader.ts';
import { transferAt } from '../../port/transfer-at.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import { dataOf, integerOf, isAbsent } from './hex-fields.ts';
import type { Receipts } from './receipts.ts';
import { senderOf } from './sender.ts';
import { type Transactions, typeOf } from './transactions.ts';

/** The chain whose blocks are read. */
export interface BlockChain {
  readonly name: string;
  /** The currency in which fees are paid. */
  readonly nativeId: CurrencyId;
}

/** A block whose parts have each been checked against its header, as far as this version knows how. */
export interface ProvenBlock {
  readonly header: BlockHeader;
  readonly isProven: boolean;
  readonly baseFee: bigint;
  readonly transactions: Transactions;
  readonly receipts: Receipts;
}

/** Transfers and inclusions in the order of the chain; a transaction's own value comes before its token transfers. */
export function chainBlockOf(chain: BlockChain, block: ProvenBlock, query: BlockQuery): ChainBlock {
  const { header, isProven, baseFee } = block;
  const { tape, places, ids } = block.transactions;
  const native = query.currencies.find(({ contract }) => contract === null);
  const transfers: Transfer[] = [];
  const inclusions: Inclusion[] = [];
  for (const [index, { succeeded, gasUsed, moved }] of block.receipts.all.entries()) {
    const [tx, txId] = [places[index] ?? -1, ids[index] ?? ''];
    const place = { chain: chain.name, txId, block: header };
    const isNamed = query.txIds.has(txId);
    if (isNamed) {
      const status = succeeded ? 'succeeded' : 'failed';
      const fee = amountOf(chain.nativeId, BigInt(gasUsed) * gasPriceOf(tape, tx, baseFee));
      inclusions.push({ ...place, status, payer: payerOf(tape, tx, true), fee });
    }
    // The value of a creation goes to the contract that it makes, which is never an address of ours.
    const isSent = succeeded && native !== undefined && !isAbsent(tape, tx, 'to');
    const units = isSent ? integerOf(tape, tx, 'value') : 0n;
    if (units > 0n && native !== undefined) {
      const [from, to] = [payerOf(tape, tx, isNamed), dataOf(tape, tx, 'to', 20)];
      transfers.push(transferAt(place, 'value', native.currencyId, { from, to, units }));
    }
    for (const one of moved) transfers.push(transferAt(place, one.position, one.currency.currencyId, one));
  }
  return { header, transfers, proposals: [], inclusions, isProven };
}

/**
 * No root covers the `from` that a provider reports. For a transaction that the query names, the payer is recovered from its
 * signature, because fees and outgoing transfers of our wallets are booked by the payer. For any other transaction `from` is
 * only shown to people: a flow that books value as gone from an address of ours has to name the transaction first.
 */
function payerOf(tape: JsonTape, tx: Place, isNamed: boolean): string {
  return isNamed && typeOf(tape, tx) !== null ? senderOf(tape, tx) : dataOf(tape, tx, 'from', 20);
}

/**
 * Wei for a unit of gas. The fields used are covered by the two roots; the receipt's `effectiveGasPrice` is covered by none.
 * The cost of blobs is left out, because no transaction of ours carries any.
 */
function gasPriceOf(tape: JsonTape, tx: Place, baseFee: bigint): bigint {
  if ((typeOf(tape, tx) ?? 0) < 2) return integerOf(tape, tx, 'gasPrice');
  const most = integerOf(tape, tx, 'maxFeePerGas');
  const wanted = baseFee + integerOf(tape, tx, 'maxPriorityFeePerGas');
  return wanted < most ? wanted : most;
}
