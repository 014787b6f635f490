// The roots of transactions and receipts, for blocks that tests make: written apart from the code that checks them.
import { keccakOfHex } from './keccak.ts';
import { isAddress, isHash, isQuantity } from './hex-text.ts';
import { isRecord, type RawReceipt, type RawTransaction } from './raw-block.ts';
import { rlpBytes, rlpData, rlpList, rlpQuantity } from './rlp-hex.ts';
import { trieRoot } from './trie-root.ts';

/** The receipts root over receipts in block order, `0x` hash. Types 0 to 4. */
export function receiptsRoot(receipts: readonly RawReceipt[]): string {
  return trieRoot(receipts.map(encodeReceipt));
}

/** The transactions root over transactions in block order, and each one's id, `0x` hashes. Types 0 to 4. */
export function transactionsRoot(transactions: readonly RawTransaction[]): {
  readonly root: string;
  readonly ids: readonly string[];
} {
  const encoded = transactions.map(encodeTransaction);
  return { root: trieRoot(encoded), ids: encoded.map((bytes) => `0x${keccakOfHex(bytes)}`) };
}

function encodeReceipt(receipt: RawReceipt): string {
  let logs = '';
  for (const log of receipt.logs) {
    let topics = '';
    for (const topic of log.topics) topics += rlpData(topic);
    logs += rlpList(rlpData(log.address) + rlpList(topics) + rlpData(log.data));
  }
  const body = rlpList(
    rlpQuantity(receipt.status) +
      rlpQuantity(receipt.cumulativeGasUsed) +
      rlpData(receipt.logsBloom) +
      rlpList(logs),
  );
  return typePrefix(receipt.type) + body;
}

function typePrefix(type: string | undefined): string {
  switch (type) {
    case undefined:
    case '0x0':
      return '';
    case '0x1':
    case '0x2':
    case '0x3':
    case '0x4':
      return `0${type.slice(2)}`;
    default:
      throw new TypeError(`a transaction has type ${type.slice(0, 10)}, which is not known`);
  }
}

function encodeTransaction(tx: RawTransaction): string {
  const call = quantity(tx, 'gas') + (tx.to === null || tx.to === undefined ? '80' : rlpData(tx.to));
  const tail = call + rlpQuantity(tx.value) + rlpData(tx.input);
  const nonce = rlpQuantity(tx.nonce);
  const type = typePrefix(tx.type);
  if (type === '')
    return rlpList(nonce + quantity(tx, 'gasPrice') + tail + quantity(tx, 'v') + signature(tx));
  const opening = quantity(tx, 'chainId') + nonce;
  if (type === '01') {
    return (
      type + rlpList(opening + quantity(tx, 'gasPrice') + tail + accessList(tx) + parity(tx) + signature(tx))
    );
  }
  const fees = quantity(tx, 'maxPriorityFeePerGas') + quantity(tx, 'maxFeePerGas');
  let extra = '';
  if (type === '03') extra = quantity(tx, 'maxFeePerBlobGas') + rlpList(dataItems(tx['blobVersionedHashes']));
  if (type === '04') extra = authorizations(tx);
  return type + rlpList(opening + fees + tail + accessList(tx) + extra + parity(tx) + signature(tx));
}

function quantity(holder: Readonly<Record<string, unknown>>, field: string): string {
  const value = holder[field];
  if (!isQuantity(value)) throw new TypeError(`a transaction has no ${field}`);
  return rlpQuantity(value);
}

function signature(holder: Readonly<Record<string, unknown>>): string {
  return half(holder, 'r') + half(holder, 's');
}

/** Some nodes pad `r` or `s` to 32 bytes. Both forms are accepted, because only the root is computed from them. */
function half(holder: Readonly<Record<string, unknown>>, field: 'r' | 's'): string {
  const value = holder[field];
  return isHash(value) ? rlpQuantity(value) : quantity(holder, field);
}

/** Nodes name the parity `yParity`, `v`, or both. */
function parity(holder: Readonly<Record<string, unknown>>): string {
  return quantity(holder, isQuantity(holder['yParity']) ? 'yParity' : 'v');
}

function accessList(tx: RawTransaction): string {
  let entries = '';
  for (const entry of listOf(tx['accessList'])) {
    if (!isRecord(entry) || !isAddress(entry['address']))
      throw new TypeError('a transaction has a broken access list');
    entries += rlpList(rlpData(entry['address']) + rlpList(dataItems(entry['storageKeys'])));
  }
  return rlpList(entries);
}

function authorizations(tx: RawTransaction): string {
  let entries = '';
  for (const entry of listOf(tx['authorizationList'])) {
    if (!isRecord(entry) || !isAddress(entry['address']))
      throw new TypeError('a transaction has a broken authorization');
    const target = quantity(entry, 'chainId') + rlpData(entry['address']) + quantity(entry, 'nonce');
    entries += rlpList(target + parity(entry) + signature(entry));
  }
  return rlpList(entries);
}

function dataItems(value: unknown): string {
  let items = '';
  for (const item of listOf(value)) {
    if (!isHash(item)) throw new TypeError('a list in a transaction holds something that is no hash');
    items += rlpBytes(item.slice(2));
  }
  return items;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a transaction lacks a list that its type asks for');
  return value;
}
