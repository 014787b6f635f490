// The JSON of transactions, receipts and blocks.
import { contractSchemas } from '../../protocol/contracts.ts';
import {
  blockHeaderRaw,
  type TransactionInfo,
  transactionInfo,
  transactionRaw,
  transactionResult,
} from '../../protocol/messages.ts';
import type { TransactionResult } from '../../protocol/messages.ts';
import { hasUnknownFixed } from '../../protocol/codec.ts';
import { createdAddress } from '../../protocol/contract-address.ts';
import { contractOf, decodeContract, type Transaction } from '../../protocol/transaction.ts';
import type { Block } from '../../chain/ledger.ts';
import { type Json, printMessage, showAddress } from './print-message.ts';

/** A transaction as blocks, gettransactionbyid and the builders show it; builders pass null for results. */
export function printTransaction(
  tx: Transaction,
  result: TransactionResult | null,
  isVisible: boolean,
): Json {
  // java-tron does not print built or sent transactions through a text that is parsed again, so they are exempt.
  if (result !== null && isUnprintable(tx)) throw new SyntaxError('syntax error, unexpected 0x in a number');
  const raw = printMessage(transactionRaw, tx.raw, isVisible);
  return {
    ...(result !== null && { ret: [printMessage(transactionResult, result, isVisible)] }),
    ...(tx.signatures.length > 0 && { signature: tx.signatures }),
    txID: tx.txId,
    ...printCreated(tx),
    raw_data: { ...raw, contract: printContracts(tx, isVisible) },
    raw_data_hex: tx.rawHex,
  };
}

/** The address of a deployed contract: in hex, whatever form was asked for. */
function printCreated(tx: Transaction): Json {
  const call = contractOf(tx.raw);
  if (call?.name !== 'CreateSmartContract') return {};
  return { contract_address: createdAddress(tx.txId, call.value.owner_address) };
}

/**
 * java-tron writes unknown fixed-width numbers as bare 0x00000005, and fails to parse its own text. No call can
 * therefore show a transaction with such a field, or a block with that transaction.
 */
function isUnprintable(tx: Transaction): boolean {
  if (hasUnknownFixed(transactionRaw, tx.rawHex)) return true;
  return tx.raw.contract.some(({ type, parameter }) => {
    const call = parameter && decodeContract(type, parameter.value);
    if (parameter === undefined || call === undefined || call === null) return false;
    return hasUnknownFixed(contractSchemas[call.name], parameter.value);
  });
}

/** A payload that does not decode as its declared type is left out silently, as java-tron does. */
function printContracts(tx: Transaction, isVisible: boolean): readonly Json[] {
  return tx.raw.contract.flatMap((contract) => {
    const call = contract.parameter && decodeContract(contract.type, contract.parameter.value);
    if (call === undefined || call === null) return [];
    // decodeContract took the schema from the same row of the registry.
    const value = printMessage(contractSchemas[call.name], call.value as never, isVisible);
    return [
      {
        parameter: { value, type_url: contract.parameter?.type_url },
        type: contract.type,
        ...(contract.Permission_id > 0n && { Permission_id: contract.Permission_id }),
      },
    ];
  });
}

/** A receipt. In visible mode log addresses get their 41 back and become base58. */
export function printInfo(info: TransactionInfo, isVisible: boolean): Json {
  const json = printMessage(transactionInfo, info, isVisible);
  if (!isVisible || info.log.length === 0) return json;
  return {
    ...json,
    log: info.log.map((entry) => ({ ...printLog(entry), address: showAddress(`41${entry.address}`) })),
  };
}

function printLog(entry: TransactionInfo['log'][number]): Json {
  return {
    ...(entry.topics.length > 0 && { topics: entry.topics }),
    ...(entry.data !== '' && { data: entry.data }),
  };
}

export function printBlock(block: Block, isVisible: boolean, withTransactions = true): Json {
  const header = printMessage(blockHeaderRaw, block.header, isVisible);
  return {
    blockID: block.id,
    block_header: { raw_data: header, witness_signature: block.witnessSignature },
    ...(withTransactions &&
      block.transactions.length > 0 && {
        transactions: block.transactions.map(({ tx, result }) => printTransaction(tx, result, isVisible)),
      }),
  };
}
