// Headers that prove their id: 8 bytes of height, then the end of the hash of the header's own bytes.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { heightOf, hexOf, integerOf, isRecord, type Json, recordOf } from '../wire/json.ts';
import { bytesField, integerField, type Shape } from '../wire/protobuf.ts';
import { sha256 } from '../wire/sha256.ts';
import { expectKnown, unknownFields } from '../wire/unknown-fields.ts';

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

/** The header at a height, or the newest one for null; null where this view has none there. */
export async function headerAt(api: HttpApi, number: number | null): Promise<ProvenHeader | null> {
  const name = number === null ? {} : { id_or_num: String(number) };
  const proven = provenHeader(await api('getblock', { ...name, detail: false }));
  if (proven !== null && number !== null) expectNumber(proven, number);
  return proven;
}

/** The header with that id, on whatever branch the node has it; null where it has none. */
export async function headerWithId(api: HttpApi, id: string): Promise<ProvenHeader | null> {
  const proven = provenHeader(await api('getblock', { id_or_num: id, detail: false }));
  if (proven !== null && proven.header.hash !== id)
    throw invalidAnswer(`answered with another block than ${id}`);
  return proven;
}

/** Height of the newest block of this view. */
export async function headOf(api: HttpApi): Promise<number> {
  const proven = await headerAt(api, null);
  if (proven === null) throw invalidAnswer('has no newest block');
  return proven.header.number;
}

export function expectNumber({ header }: ProvenHeader, number: number): void {
  if (header.number !== number)
    throw invalidAnswer(`was asked for block ${number} and answered with ${header.number}`);
}

/** The header of an answered block, null where the node has none there. Throws Outage 'invalid' where its id is false. */
export function provenHeader(answer: unknown): ProvenHeader | null {
  const block = recordOf(answer, 'a block');
  if (!('blockID' in block)) {
    if (Object.keys(block).length > 0) throw invalidAnswer('answered with a block without id');
    return null;
  }
  const blockHeader = block['block_header'];
  const raw = isRecord(blockHeader) ? recordOf(blockHeader['raw_data'], 'a block header') : {};
  const hash = hexOf(block['blockID'], 'a block id', 32);
  const number = heightOf(raw['number']);
  if (hash !== idOf(raw, number)) throw invalidAnswer(`the header of block ${number} does not give its id`);
  const timestampMs = integerOf(raw['timestamp'], 'a block time');
  if (timestampMs < 0n || timestampMs > latestTimeMs) throw invalidAnswer(`block ${number} has no time`);
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
