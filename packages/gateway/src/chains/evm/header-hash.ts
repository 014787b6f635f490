// Recomputes the hash of a header from its fields, so that a block is what its hash says.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { keccakOfHex } from './keccak.ts';
import { LyingNode } from './lying-node.ts';
import { isHex, quantityAnswer, type RawHeader } from './raw-block.ts';
import { rlpData, rlpList, rlpQuantity } from './rlp-hex.ts';

/** Whether a header's hash follows from its fields; `unknown-fields` where it has others than those we can order. */
export type HeaderCheck = 'verified' | 'unknown-fields';

type Encode = (value: string) => string;

// The order is the protocol's. Everything after `nonce` came with a fork and is left out before it.
const requiredFields: readonly (readonly [string, Encode])[] = [
  ['parentHash', rlpData],
  ['sha3Uncles', rlpData],
  ['miner', rlpData],
  ['stateRoot', rlpData],
  ['transactionsRoot', rlpData],
  ['receiptsRoot', rlpData],
  ['logsBloom', rlpData],
  ['difficulty', rlpQuantity],
  ['number', rlpQuantity],
  ['gasLimit', rlpQuantity],
  ['gasUsed', rlpQuantity],
  ['timestamp', rlpQuantity],
  ['extraData', rlpData],
  ['mixHash', rlpData],
  ['nonce', rlpData],
];
const forkFields: readonly (readonly [string, Encode])[] = [
  ['baseFeePerGas', rlpQuantity],
  ['withdrawalsRoot', rlpData],
  ['blobGasUsed', rlpQuantity],
  ['excessBlobGas', rlpQuantity],
  ['parentBeaconBlockRoot', rlpData],
  ['requestsHash', rlpData],
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
export function checkHeaderHash(header: RawHeader): HeaderCheck {
  let items = '';
  for (const [name, encode] of requiredFields) {
    const value = header[name];
    if (!isHex(value)) return 'unknown-fields';
    items += encode(value);
  }
  for (const [name, encode] of forkFields) {
    const value = header[name];
    if (isHex(value)) items += encode(value);
  }
  if (`0x${keccakOfHex(rlpList(items))}` === header.hash.toLowerCase()) return 'verified';
  if (Object.keys(header).some((name) => !knownNames.has(name))) return 'unknown-fields';
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
