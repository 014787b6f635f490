// Recomputes the hash of a header from its fields, so that a block is what its hash says.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { keccakOfHex } from './keccak.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { isData, isQuantity } from './hex-text.ts';
import { quantityAnswer, type RawHeader } from './raw-block.ts';
import { rlpData, rlpList, rlpQuantity } from './rlp-hex.ts';

/** Names of the fields that stand between a header and its hash, sorted; none where the hash follows from it. */
export type UnknownFields = readonly string[];

/** RLP of a field's value, or null where the value has another form. */
type Encode = (value: unknown) => string | null;

const data: Encode = (value) => (isData(value) ? rlpData(value) : null);
const quantity: Encode = (value) => (isQuantity(value) ? rlpQuantity(value) : null);

// The order is the protocol's. Everything after `nonce` came with a fork and is left out before it.
const requiredFields: readonly (readonly [string, Encode])[] = [
  ['parentHash', data],
  ['sha3Uncles', data],
  ['miner', data],
  ['stateRoot', data],
  ['transactionsRoot', data],
  ['receiptsRoot', data],
  ['logsBloom', data],
  ['difficulty', quantity],
  ['number', quantity],
  ['gasLimit', quantity],
  ['gasUsed', quantity],
  ['timestamp', quantity],
  ['extraData', data],
  ['mixHash', data],
  ['nonce', data],
];
const forkFields: readonly (readonly [string, Encode])[] = [
  ['baseFeePerGas', quantity],
  ['withdrawalsRoot', data],
  ['blobGasUsed', quantity],
  ['excessBlobGas', quantity],
  ['parentBeaconBlockRoot', data],
  ['requestsHash', data],
];

// What nodes add beside the header and the hash does not cover. `milliTimestamp` is BSC's.
const besideTheHeader = [
  'hash',
  'transactions',
  'uncles',
  'withdrawals',
  'size',
  'totalDifficulty',
  'milliTimestamp',
];
const knownNames = new Set([...requiredFields, ...forkFields].map(([name]) => name).concat(besideTheHeader));

/** Throws LyingNode where every field is known and the hash does not follow from them. */
export function checkHeaderHash(header: RawHeader): UnknownFields {
  let items = '';
  for (const [name, encode] of requiredFields) {
    const item = encode(header[name]);
    if (item === null) return [name];
    items += item;
  }
  for (const [name, encode] of forkFields) items += encode(header[name]) ?? '';
  if (`0x${keccakOfHex(rlpList(items))}` === header.hash.toLowerCase()) return [];
  const unknown = Object.keys(header).filter((name) => !knownNames.has(name));
  if (unknown.length > 0) return unknown.sort();
  throw new LyingNode(`the header of block ${quantityAnswer(header.number)} does not give its hash`);
}

/** The header as the rest of Ducat knows it. */
export function toBlockHeader(header: RawHeader): BlockHeader {
  return {
    number: quantityAnswer(header.number),
    hash: header.hash.toLowerCase(),
    parentHash: header.parentHash.toLowerCase(),
    time: quantityAnswer(header.timestamp),
  };
}
