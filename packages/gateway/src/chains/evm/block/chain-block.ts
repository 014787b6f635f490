// What a proven block holds of the currencies and transactions that are asked for.
import type { Currency } from '@ducat/core/chain/currency';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf, type CurrencyId } from '@ducat/core/money/amount';
import type { BlockQuery, ChainBlock } from '../../port/reader.ts';
import { createdAddress } from './created-address.ts';
import { addressOf, fieldOf, hexOf, integerOf, isAbsent } from './hex-fields.ts';
import type { Receipts } from './receipts.ts';
import { senderOf } from './sender.ts';
import { type Transactions, typeOf } from './transactions.ts';

/** What the blocks of a chain are read for. */
export interface BlockChain {
  readonly name: string;
  /** In which fees are paid. */
  readonly nativeId: CurrencyId;
}

/** A block of which each part has been checked against its header, as far as this version knows how. */
export interface ProvenBlock {
  readonly header: BlockHeader;
  readonly isProven: boolean;
  readonly baseFee: bigint;
  readonly transactions: Transactions;
  readonly receipts: Receipts;
}

/** In the order of the chain; a transaction's own value comes before its tokens. */
export function chainBlockOf(chain: BlockChain, block: ProvenBlock, query: BlockQuery): ChainBlock {
  const { header, isProven } = block;
  const native = query.currencies.find(({ contract }) => contract === null) ?? null;
  const transfers: Transfer[] = [];
  const inclusions: Inclusion[] = [];
  for (const [index, { succeeded, transfers: ofTokens }] of block.receipts.all.entries()) {
    const txId = block.transactions.ids[index] ?? '';
    const isNamed = query.txIds.has(txId);
    if (isNamed) inclusions.push(inclusionOf(chain, block, index));
    const value = succeeded && native !== null ? valueOf(block.transactions, index) : 0n;
    if (value > 0n && native !== null) {
      const [from, to] = [
        payerOf(block.transactions, index, isNamed),
        recipientOf(block.transactions, index),
      ];
      transfers.push(
        transferOf(chain, header, txId, { currency: native, position: 'value', from, to, units: value }),
      );
    }
    for (const transfer of ofTokens) transfers.push(transferOf(chain, header, txId, transfer));
  }
  return { header, transfers, proposals: [], inclusions, isProven, isFinalView: false, undecoded: [] };
}

interface Moved {
  readonly currency: Currency;
  readonly position: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

function transferOf(
  { name }: BlockChain,
  block: BlockHeader,
  txId: string,
  { currency, position, from, to, units }: Moved,
): Transfer {
  return { chain: name, txId, position, from, to, amount: amountOf(currency.currencyId, units), block };
}

/** What the transaction itself carries. */
function valueOf({ tape, places }: Transactions, index: number): bigint {
  const place = fieldOf(tape, places[index] ?? -1, 'value');
  // Most carry nothing, which is `0x0`.
  return tape.to(place) - tape.from(place) === 3 && tape.text(place) === '0x0'
    ? 0n
    : integerOf(tape, places[index] ?? -1, 'value');
}

/**
 * No root covers the `from` that a provider reports. Of a transaction that the query names, the payer is recovered from
 * its signature, as fees and what left our wallets are booked by it. Of any other it is only shown to people: whoever
 * books value as gone from an address of ours has to name the transaction first.
 */
function payerOf({ tape, places }: Transactions, index: number, isNamed: boolean): string {
  const tx = places[index] ?? -1;
  return isNamed && typeOf(tape, tx) !== null ? senderOf(tape, tx) : addressOf(tape, tx, 'from');
}

/**
 * Its `to`, or the contract that it creates. The latter follows from `from` and through a hash: nobody finds a false one
 * that leads to an address of ours.
 */
function recipientOf({ tape, places }: Transactions, index: number): string {
  const tx = places[index] ?? -1;
  if (!isAbsent(tape, tx, 'to')) return addressOf(tape, tx, 'to');
  return createdAddress(addressOf(tape, tx, 'from'), hexOf(tape, fieldOf(tape, tx, 'nonce')));
}

function inclusionOf(chain: BlockChain, block: ProvenBlock, index: number): Inclusion {
  const { transactions, receipts, header } = block;
  const receipt = receipts.all[index];
  const gas = (receipt?.cumulativeGas ?? 0) - (receipts.all[index - 1]?.cumulativeGas ?? 0);
  return {
    chain: chain.name,
    txId: transactions.ids[index] ?? '',
    block: header,
    status: receipt?.succeeded === true ? 'succeeded' : 'failed',
    payer: payerOf(transactions, index, true),
    fee: amountOf(chain.nativeId, BigInt(gas) * gasPrice(block, index)),
  };
}

/**
 * Wei for a unit of gas, from fields that both roots cover and not from the receipt's `effectiveGasPrice`, which none
 * does. What blobs cost is left out: no transaction of ours carries any.
 */
function gasPrice({ transactions: { tape, places }, baseFee }: ProvenBlock, index: number): bigint {
  const tx = places[index] ?? -1;
  if ((typeOf(tape, tx) ?? 0) < 2) return integerOf(tape, tx, 'gasPrice');
  const most = integerOf(tape, tx, 'maxFeePerGas');
  const wanted = baseFee + integerOf(tape, tx, 'maxPriorityFeePerGas');
  return wanted < most ? wanted : most;
}
