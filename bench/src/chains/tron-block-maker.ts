// Makes blocks of a Tron chain with correct ids and roots, and their receipts, in the form in which java-tron answers.
import { printInfo, printTransaction } from '@ducat/tron-dev/http/json/print-transaction';
import { printMessage } from '@ducat/tron-dev/http/json/print-message';
import { writeJson } from '@ducat/tron-dev/http/json/json-text';
import { blockIdOf, referenceTo } from '@ducat/tron-dev/protocol/block-header';
import { contractSchemas } from '@ducat/tron-dev/protocol/contracts';
import { sha256 } from '@ducat/tron-dev/protocol/hash';
import { numberToHex, textToHex } from '@ducat/tron-dev/protocol/hex';
import { merkleRoot } from '@ducat/tron-dev/protocol/merkle';
import {
  blockHeaderRaw,
  log,
  resourceReceipt,
  type TransactionInfo,
  transactionInfo,
  transactionResult,
} from '@ducat/tron-dev/protocol/messages';
import { make } from '@ducat/tron-dev/protocol/schema';
import {
  buildTransaction,
  type ContractCall,
  encodeTransaction,
  type Transaction,
  transactionOf,
} from '@ducat/tron-dev/protocol/transaction';

/** A block as the answers of a node, each the text of a body. */
export interface MadeTronBlock {
  readonly number: number;
  readonly id: string;
  readonly header: string;
  readonly block: string;
  readonly receipts: string;
}

/** What one transaction does. Addresses are hex with their 41. */
export type TronSpend =
  | { readonly kind: 'token'; readonly to: string; readonly units: bigint; readonly token: string }
  | { readonly kind: 'coin' | 'asset' | 'delegate'; readonly to: string; readonly units: bigint };

export interface TronBlockPlan {
  readonly number: number;
  readonly parentId: string;
  /** Milliseconds. */
  readonly timeMs: number;
  readonly spends: readonly TronSpend[];
}

/** keccak256("Transfer(address,address,uint256)"). */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const transferSelector = 'a9059cbb';
const expiresAfterMs = 60_000;
const feeLimit = 100_000_000n;
const succeeded = make(transactionResult, { contractRet: 'SUCCESS' });
const word = (hex: string): string => hex.padStart(64, '0');
/** The topic or argument of an address. */
const wordOf = (address: string): string => word(address.slice(2));

export function makeTronBlock(plan: TronBlockPlan): MadeTronBlock {
  const { number, parentId, timeMs } = plan;
  const transactions = plan.spends.map((spend, index) => transactionIn(plan, spend, index));
  const raw = make(blockHeaderRaw, {
    number: BigInt(number),
    timestamp: BigInt(timeMs),
    txTrieRoot: merkleRoot(transactions.map((one) => encodeTransaction(one, [succeeded]))),
    parentHash: parentId,
    witness_address: madeSender('witness', number, 0),
    version: 32n,
  });
  const id = blockIdOf(raw);
  const header = {
    blockID: id,
    block_header: {
      raw_data: printMessage(blockHeaderRaw, raw, false),
      witness_signature: madeSignature('witness', number),
    },
  };
  const printed = transactions.map((one) => printTransaction(one, succeeded, false));
  const receipts = plan.spends.map((spend, index) =>
    receiptOf(plan, spend, transactions[index]?.txId ?? '', index),
  );
  return {
    number,
    id,
    header: writeJson(header),
    block: writeJson(printed.length === 0 ? header : { ...header, transactions: printed }),
    receipts: writeJson(receipts.map((one) => printInfo(one, false))),
  };
}

/** A transaction without a valid signature. The root covers signatures, but nothing in Ducat checks whose they are. */
function transactionIn(
  { number, parentId, timeMs }: TronBlockPlan,
  spend: TronSpend,
  index: number,
): Transaction {
  const { rawHex } = buildTransaction(callOf(spend, madeSender('from', number, index)), {
    ...referenceTo(parentId),
    timestampMs: timeMs - index,
    expirationMs: timeMs + expiresAfterMs,
    ...(spend.kind === 'token' && { feeLimit }),
  });
  return transactionOf(rawHex, [madeSignature('from', number * 1_000 + index)]);
}

function callOf(spend: TronSpend, owner: string): ContractCall {
  const { to, units } = spend;
  switch (spend.kind) {
    case 'token': {
      const data = transferSelector + wordOf(to) + word(units.toString(16));
      const value = { owner_address: owner, contract_address: spend.token, data };
      return { name: 'TriggerSmartContract', value: make(contractSchemas.TriggerSmartContract, value) };
    }
    case 'coin': {
      const value = { owner_address: owner, to_address: to, amount: units };
      return { name: 'TransferContract', value: make(contractSchemas.TransferContract, value) };
    }
    case 'asset': {
      const value = { asset_name: textToHex('1002000'), owner_address: owner, to_address: to, amount: units };
      return { name: 'TransferAssetContract', value: make(contractSchemas.TransferAssetContract, value) };
    }
    case 'delegate': {
      const value = {
        owner_address: owner,
        resource: 'ENERGY',
        balance: units,
        receiver_address: to,
      } as const;
      return {
        name: 'DelegateResourceContract',
        value: make(contractSchemas.DelegateResourceContract, value),
      };
    }
  }
}

function receiptOf(
  { number, timeMs }: TronBlockPlan,
  spend: TronSpend,
  id: string,
  index: number,
): TransactionInfo {
  const place = { id, blockNumber: BigInt(number), blockTimeStamp: BigInt(timeMs) };
  if (spend.kind !== 'token')
    return make(transactionInfo, {
      ...place,
      contractResult: [''],
      receipt: make(resourceReceipt, { net_usage: 268n }),
    });
  const topics = [transferTopic, wordOf(madeSender('from', number, index)), wordOf(spend.to)];
  return make(transactionInfo, {
    ...place,
    fee: 6_428_500n,
    contractResult: [word('')],
    contract_address: spend.token,
    receipt: make(resourceReceipt, {
      energy_fee: 6_428_500n,
      energy_usage_total: 64_285n,
      energy_penalty_total: 49_635n,
      net_usage: 345n,
      result: 'SUCCESS',
    }),
    log: [make(log, { address: spend.token.slice(2), topics, data: word(spend.units.toString(16)) })],
  });
}

/** An address, different for each block, index and purpose. */
function madeSender(purpose: string, number: number, index: number): string {
  return `41${sha256(`${textToHex(purpose)}${numberToHex(number, 8)}${numberToHex(index, 8)}`).slice(24)}`;
}

/** 65 bytes. */
function madeSignature(purpose: string, place: number): string {
  const half = sha256(textToHex(purpose) + numberToHex(place, 8));
  return `${half}${sha256(half)}1b`;
}
