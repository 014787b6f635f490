// Headers that prove their id: 8 bytes of height, then the end of the hash of the header's own bytes.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { LyingNode } from '../endpoint/lying-node.ts';
import { heightOf, hexOf, integerOf, isRecord, type Json, recordOf } from './node-json.ts';
import { bytesField, integerField, type Shape } from './wire/protobuf.ts';
import { sha256 } from './wire/sha256.ts';
import { expectKnown, unknownFields } from './unknown-fields.ts';

export interface ProvenHeader {
  readonly header: BlockHeader;
  /** Milliseconds, as receipts repeat it. */
  readonly timestampMs: bigint;
  readonly transactionsRoot: string;
}

/** What books and clocks can count; a header may say more. */
const latestTimeMs = BigInt(Number.MAX_SAFE_INTEGER);

const known = new Set([
  'timestamp',
  'txTrieRoot',
  'parentHash',
  'number',
  'witness_id',
  'witness_address',
  'version',
  'accountStateRoot',
]);

const shape: Shape = {
  1: 'int64',
  2: 'bytes',
  3: 'bytes',
  7: 'int64',
  8: 'int64',
  9: 'bytes',
  10: 'int32',
  11: 'bytes',
};

/** The header of an answered block, null where the node has none there. Throws LyingNode where its id is false. */
export function provenHeader(answer: unknown): ProvenHeader | null {
  const block = recordOf(answer, 'a block');
  if (!('blockID' in block)) {
    if (Object.keys(block).length > 0) throw new LyingNode('answered with a block without id');
    return null;
  }
  const blockHeader = block['block_header'];
  const raw = isRecord(blockHeader) ? recordOf(blockHeader['raw_data'], 'a block header') : {};
  const hash = hexOf(block['blockID'], 'a block id', 32);
  const number = heightOf(raw['number']);
  if (hash !== idOf(raw, number)) throw new LyingNode(`the header of block ${number} does not give its id`);
  const timestampMs = integerOf(raw['timestamp'], 'a block time');
  if (timestampMs < 0n || timestampMs > latestTimeMs) throw new LyingNode(`block ${number} has no time`);
  return {
    header: {
      number,
      hash,
      parentHash: hexOf(raw['parentHash'], 'a parent', 32),
      time: Number(timestampMs / 1_000n),
    },
    timestampMs,
    transactionsRoot: hexOf(raw['txTrieRoot'], 'a root', 32),
  };
}

function idOf(raw: Json, number: number): string {
  expectKnown(raw, known, `block ${number}`);
  const integer = (id: number, name: string) => integerField(id, integerOf(raw[name], name));
  const bytes = (id: number, name: string) => bytesField(id, hexOf(raw[name], name));
  const encoded =
    integer(1, 'timestamp') +
    bytes(2, 'txTrieRoot') +
    bytes(3, 'parentHash') +
    integer(7, 'number') +
    integer(8, 'witness_id') +
    bytes(9, 'witness_address') +
    integer(10, 'version') +
    bytes(11, 'accountStateRoot') +
    unknownFields(raw, shape);
  return number.toString(16).padStart(16, '0') + sha256(encoded).slice(16);
}
