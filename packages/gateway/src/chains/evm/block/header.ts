// Recomputes the hash of a header from its fields, so that the hash proves the block.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { keccakOfBytes } from '../../keys/keccak.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import { dataOf, integerOf, isAbsent, numberOf, writeData, writeQuantity } from './hex-fields.ts';
import { RlpWriter } from './rlp-writer.ts';

export interface ReadHeader {
  readonly header: BlockHeader;
  /** Whether the hash follows from the fields of the header. */
  readonly isProven: boolean;
  readonly transactionsRoot: string;
  readonly receiptsRoot: string;
  /** Wei for a unit of gas; 0 on chains without a base fee. */
  readonly baseFee: bigint;
}

// Field names in the order of the protocol. Those of the second list came with forks; earlier headers leave them out.
const required =
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce';
const ofForks = 'baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash';
const quantities = 'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas';
// Fields that nodes add beside the header, which the hash does not cover. `milliTimestamp` is BSC's.
const besideTheHeader = 'hash transactions uncles withdrawals size totalDifficulty milliTimestamp';
const [requiredNames, forkNames] = [required.split(' '), ofForks.split(' ')];
const quantityNames = new Set(quantities.split(' '));
const knownNames = [...requiredNames, ...forkNames, ...besideTheHeader.split(' ')];

/**
 * Throws Outage 'invalid' where this version knows every field and the hash does not follow from them. With a field that it
 * does not know, the hash cannot be recomputed. Then nothing in the block is proven, and a quorum compares it.
 */
export function readHeader(tape: JsonTape, block: Place): ReadHeader {
  const header: BlockHeader = {
    number: numberOf(tape, block, 'number'),
    hash: dataOf(tape, block, 'hash', 32),
    parentHash: dataOf(tape, block, 'parentHash', 32),
    time: numberOf(tape, block, 'timestamp'),
  };
  const isComplete = requiredNames.every((name) => !isAbsent(tape, block, name));
  const isProven = isComplete && hashByFields(tape, block) === header.hash;
  const isKnown = isComplete && tape.hasOnly(block, knownNames);
  if (!isProven && isKnown)
    throw invalidAnswer(`answered with a header of block ${header.number} that does not give its hash`);
  return {
    header,
    isProven,
    transactionsRoot: dataOf(tape, block, 'transactionsRoot', 32),
    receiptsRoot: dataOf(tape, block, 'receiptsRoot', 32),
    baseFee: isAbsent(tape, block, 'baseFeePerGas') ? 0n : integerOf(tape, block, 'baseFeePerGas'),
  };
}

function hashByFields(tape: JsonTape, block: Place): string {
  const rlp = new RlpWriter(1_024);
  const mark = rlp.open();
  const present = forkNames.filter((name) => !isAbsent(tape, block, name));
  for (const name of [...requiredNames, ...present])
    if (quantityNames.has(name)) writeQuantity(rlp, tape, block, name);
    else writeData(rlp, tape, block, name);
  rlp.close(mark);
  return `0x${keccakOfBytes(rlp.bytes.subarray(mark, rlp.length))}`;
}
