// A header and its hash, recomputed from its fields, so that a block is what its hash says.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { keccakOfBytes } from '../../keys/keccak.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import { hashOf, integerOf, numberOf, writeData, writeQuantity } from './hex-fields.ts';
import { RlpWriter } from './rlp-writer.ts';

export interface ReadHeader {
  readonly header: BlockHeader;
  /** Whether the hash follows from the fields. */
  readonly isProven: boolean;
  readonly transactionsRoot: string;
  readonly receiptsRoot: string;
  /** Wei for a unit of gas; 0 on chains without a base fee. */
  readonly baseFee: bigint;
}

type Write = typeof writeData | typeof writeQuantity;

// The order is the protocol's. Everything after `nonce` came with a fork and is left out before it.
const requiredFields: readonly (readonly [string, Write])[] = [
  ['parentHash', writeData],
  ['sha3Uncles', writeData],
  ['miner', writeData],
  ['stateRoot', writeData],
  ['transactionsRoot', writeData],
  ['receiptsRoot', writeData],
  ['logsBloom', writeData],
  ['difficulty', writeQuantity],
  ['number', writeQuantity],
  ['gasLimit', writeQuantity],
  ['gasUsed', writeQuantity],
  ['timestamp', writeQuantity],
  ['extraData', writeData],
  ['mixHash', writeData],
  ['nonce', writeData],
];
const forkFields: readonly (readonly [string, Write])[] = [
  ['baseFeePerGas', writeQuantity],
  ['withdrawalsRoot', writeData],
  ['blobGasUsed', writeQuantity],
  ['excessBlobGas', writeQuantity],
  ['parentBeaconBlockRoot', writeData],
  ['requestsHash', writeData],
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

/**
 * Throws Outage 'invalid' where every field is known and the hash does not follow from them. With fields that this
 * version does not know the hash cannot be recomputed: then nothing in the block is proven, and a quorum compares it.
 */
export function readHeader(tape: JsonTape, block: Place): ReadHeader {
  const header: BlockHeader = {
    number: numberOf(tape, block, 'number'),
    hash: hashOf(tape, block, 'hash'),
    parentHash: hashOf(tape, block, 'parentHash'),
    time: numberOf(tape, block, 'timestamp'),
  };
  const isProven = hashByFields(tape, block) === header.hash;
  if (!isProven && !hasUnknownFields(tape, block))
    throw invalidAnswer(`answered with a header of block ${header.number} that does not give its hash`);
  return {
    header,
    isProven,
    transactionsRoot: hashOf(tape, block, 'transactionsRoot'),
    receiptsRoot: hashOf(tape, block, 'receiptsRoot'),
    baseFee: isAbsent(tape, block, 'baseFeePerGas') ? 0n : integerOf(tape, block, 'baseFeePerGas'),
  };
}

/** Null where a field is missing or null that every header had when this version was made. */
function hashByFields(tape: JsonTape, block: Place): string | null {
  const rlp = new RlpWriter(1_024);
  const mark = rlp.open();
  for (const [name, write] of requiredFields) {
    if (isAbsent(tape, block, name)) return null;
    write(rlp, tape, block, name);
  }
  for (const [name, write] of forkFields) if (!isAbsent(tape, block, name)) write(rlp, tape, block, name);
  rlp.close(mark);
  return `0x${keccakOfBytes(rlp.bytes.subarray(mark, rlp.length))}`;
}

function isAbsent(tape: JsonTape, block: Place, name: string): boolean {
  const place = tape.field(block, name);
  return place === -1 || tape.isNull(place);
}

function hasUnknownFields(tape: JsonTape, block: Place): boolean {
  const names = tape.items(block) ?? [];
  const isUnknown = names.some((name) => !knownNames.has(tape.text(name)));
  return isUnknown || requiredFields.some(([name]) => isAbsent(tape, block, name));
}
