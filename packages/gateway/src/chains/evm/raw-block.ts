// The shapes of what an EVM node sends, and the checks that an answer really has them.
import { LyingNode } from './lying-node.ts';

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
  readonly contractAddress?: string | null;
  readonly logs: readonly RawLog[];
}

/** A header, or null where the node has no such block. */
export function headerAnswer(value: unknown): RawHeader | null {
  if (value === null) return null;
  if (!isHeader(value)) throw new LyingNode('the answer is not a block header');
  return value;
}

/** A block with full transactions, or null where the node has no such block. */
export function blockAnswer(value: unknown): RawBlock | null {
  if (value === null) return null;
  if (!isHeader(value) || !isBlock(value)) throw new LyingNode('the answer is not a block with transactions');
  return value;
}

/** Receipts in the order of the answer. Null, or anything that is not a list of receipts, is refused. */
export function receiptsAnswer(value: unknown): readonly RawReceipt[] {
  if (!isListOf(value, isReceipt)) throw new LyingNode('the answer is not a list of receipts');
  return value;
}

/** A `0x` quantity as a number that is exact. */
export function quantityAnswer(value: unknown): number {
  const number = isHex(value) && value.length > 2 ? Number.parseInt(value.slice(2), 16) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new LyingNode('the answer is not a quantity');
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

export function isHex(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('0x');
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isHeader(value: unknown): value is RawHeader {
  return (
    isRecord(value) &&
    isHex(value['number']) &&
    isHex(value['hash']) &&
    isHex(value['parentHash']) &&
    isHex(value['timestamp']) &&
    isHex(value['transactionsRoot']) &&
    isHex(value['receiptsRoot']) &&
    isHex(value['logsBloom'])
  );
}

function isBlock(header: RawHeader): header is RawBlock {
  return isListOf(header['transactions'], isTransaction);
}

function isTransaction(value: unknown): value is RawTransaction {
  return (
    isRecord(value) &&
    isHex(value['hash']) &&
    isHex(value['from']) &&
    (value['to'] === null || value['to'] === undefined || isHex(value['to'])) &&
    isHex(value['value']) &&
    isHex(value['nonce']) &&
    isHex(value['input'])
  );
}

function isReceipt(value: unknown): value is RawReceipt {
  return (
    isRecord(value) &&
    isHex(value['transactionHash']) &&
    isHex(value['transactionIndex']) &&
    isHex(value['blockHash']) &&
    isHex(value['status']) &&
    isHex(value['cumulativeGasUsed']) &&
    isHex(value['logsBloom']) &&
    isListOf(value['logs'], isLog)
  );
}

function isLog(value: unknown): value is RawLog {
  return (
    isRecord(value) &&
    isHex(value['address']) &&
    isListOf(value['topics'], isHex) &&
    isHex(value['data']) &&
    isHex(value['blockHash']) &&
    isHex(value['transactionHash']) &&
    isHex(value['logIndex'])
  );
}
