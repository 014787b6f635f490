// The shapes of what an EVM node sends, for blocks that tests make.
import { isAddress, isData, isHash, isQuantity } from './hex-text.ts';

const bloomBytes = 256;

/** A header as JSON; the fields that only some forks have are read by name where they are hashed. */
export interface RawHeader {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly transactionsRoot: string;
  readonly receiptsRoot: string;
  readonly logsBloom: string;
  readonly [field: string]: unknown;
}

export interface RawTransaction {
  readonly hash: string;
  readonly type?: string;
  /** No root covers it and nothing recovers it: it is told to people, and no money depends on it. */
  readonly from: string;
  /** Null where the transaction creates a contract. */
  readonly to: string | null;
  readonly value: string;
  readonly nonce: string;
  readonly input: string;
  readonly [field: string]: unknown;
}

export interface RawBlock extends RawHeader {
  readonly transactions: readonly RawTransaction[];
}

export interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}

export interface RawReceipt {
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly blockHash: string;
  readonly type?: string;
  readonly status: string;
  readonly cumulativeGasUsed: string;
  readonly logsBloom: string;
  readonly logs: readonly RawLog[];
}

/** A header, or null where the node has no such block. */
export function headerAnswer(value: unknown): RawHeader | null {
  if (value === null) return null;
  if (!isHeader(value)) throw new TypeError('the answer is not a block header');
  return value;
}

/** A block with full transactions, or null where the node has no such block. */
export function blockAnswer(value: unknown): RawBlock | null {
  if (value === null) return null;
  if (!isHeader(value) || !isBlock(value)) throw new TypeError('the answer is not a block with transactions');
  return value;
}

/** Receipts in the order of the answer. Null, or anything that is not a list of receipts, is refused. */
export function receiptsAnswer(value: unknown): readonly RawReceipt[] {
  if (!isListOf(value, isReceipt)) throw new TypeError('the answer is not a list of receipts');
  return value;
}

/** A `0x` quantity as a number that is exact. */
export function quantityAnswer(value: unknown): number {
  const number = isQuantity(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new TypeError('the answer is not a quantity');
  return number;
}

/** A number as the wire's quantity. */
export function toQuantity(number: number): string {
  return `0x${number.toString(16)}`;
}

/** Whether a value is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isHeader(value: unknown): value is RawHeader {
  return (
    isRecord(value) &&
    isQuantity(value['number']) &&
    isHash(value['hash']) &&
    isHash(value['parentHash']) &&
    isQuantity(value['timestamp']) &&
    isHash(value['transactionsRoot']) &&
    isHash(value['receiptsRoot']) &&
    isBloom(value['logsBloom'])
  );
}

function isBlock(header: RawHeader): header is RawBlock {
  return isListOf(header['transactions'], isTransaction);
}

function isTransaction(value: unknown): value is RawTransaction {
  return (
    isRecord(value) &&
    isHash(value['hash']) &&
    isType(value['type']) &&
    isAddress(value['from']) &&
    (value['to'] === null || value['to'] === undefined || isAddress(value['to'])) &&
    isQuantity(value['value']) &&
    isQuantity(value['nonce']) &&
    isData(value['input'])
  );
}

function isReceipt(value: unknown): value is RawReceipt {
  return (
    isRecord(value) &&
    isHash(value['transactionHash']) &&
    isQuantity(value['transactionIndex']) &&
    isHash(value['blockHash']) &&
    isType(value['type']) &&
    (value['status'] === '0x1' || value['status'] === '0x0') &&
    isQuantity(value['cumulativeGasUsed']) &&
    isBloom(value['logsBloom']) &&
    isListOf(value['logs'], isLog)
  );
}

function isLog(value: unknown): value is RawLog {
  return (
    isRecord(value) &&
    isAddress(value['address']) &&
    isListOf(value['topics'], isHash) &&
    isData(value['data']) &&
    isHash(value['blockHash']) &&
    isHash(value['transactionHash']) &&
    isQuantity(value['logIndex'])
  );
}

function isType(value: unknown): value is string | undefined {
  return value === undefined || isQuantity(value);
}

function isBloom(value: unknown): value is string {
  return isData(value, bloomBytes);
}
