// Headers that prove their id: 8 bytes of height, then the end of the hash of the header's own bytes.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import type { Json } from '../wire/json.ts';
import { bytesField, integerField } from '../wire/protobuf.ts';
import { sha256 } from '../wire/sha256.ts';

export interface ProvenHeader {
  readonly header: BlockHeader;
  /** Milliseconds, as receipts repeat it. */
  readonly timestampMs: bigint;
  readonly transactionsRoot: string;
}

/** The largest number that books and clocks can count; a header may hold a larger one. */
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** All fields that nodes write of a header, by field number. */
const fields: readonly (readonly [number, 'integer' | 'bytes', string])[] = [
  [1, 'integer', 'timestamp'],
  [2, 'bytes', 'txTrieRoot'],
  [3, 'bytes', 'parentHash'],
  [7, 'integer', 'number'],
  [8, 'integer', 'witness_id'],
  [9, 'bytes', 'witness_address'],
  [10, 'integer', 'version'],
  [11, 'bytes', 'accountStateRoot'],
];
const names = fields.map(([, , name]) => name);

/**
 * The header at a height or with an id, on the branch that the node has; the newest one for null. Null where there is none.
 */
export async function headerAt(api: HttpApi, name: number | string | null): Promise<ProvenHeader | null> {
  const which = name === null ? {} : { id_or_num: String(name) };
  const proven = provenHeader(await api('getblock', { ...which, detail: false }));
  if (proven !== null && name !== null) expectBlock(proven, name);
  return proven;
}

/** Height of the newest block of this view. */
export async function headOf(api: HttpApi): Promise<number> {
  const proven = await headerAt(api, null);
  if (proven === null) throw invalidAnswer('has no newest block');
  return proven.header.number;
}

export function expectBlock({ header: { number, hash } }: ProvenHeader, name: number | string): void {
  if (name !== number && name !== hash)
    throw invalidAnswer(`was asked for block ${name} and answered with ${number}`);
}

/** The header of an answered block, null where the node has none. Throws Outage 'invalid' where its id is false. */
export function provenHeader(answer: Json): ProvenHeader | null {
  const block = answer.asRecord('a block');
  if (!block.has('blockID')) {
    if (!block.hasOnly([])) throw invalidAnswer('answered with a block without id');
    return null;
  }
  const raw = block.get('block_header').get('raw_data').asRecord('a block header');
  const hash = block.get('blockID').asHex('a block id', 32);
  const number = countOf(raw.get('number'), 'a block number');
  if (hash !== idOf(raw, number)) throw invalidAnswer(`the header of block ${number} does not give its id`);
  const timestampMs = countOf(raw.get('timestamp'), 'a block time');
  return {
    header: {
      number,
      hash,
      parentHash: raw.get('parentHash').asHex('a parent', 32),
      time: Math.floor(timestampMs / 1_000),
    },
    timestampMs: BigInt(timestampMs),
    transactionsRoot: raw.get('txTrieRoot').asHex('a root', 32),
  };
}

function countOf(value: Json, what: string): number {
  const count = value.asInteger(what);
  if (count < 0n || count > largest) throw invalidAnswer(`answered with ${what} that cannot be counted`);
  return Number(count);
}

function idOf(raw: Json, number: number): string {
  if (!raw.hasOnly(names)) throw invalidAnswer(`block ${number} has a field that is not known here`);
  const encoded = fields.map(([id, kind, name]) => {
    const value = raw.get(name);
    return kind === 'integer' ? integerField(id, value.asInteger(name)) : bytesField(id, value.asHex(name));
  });
  return number.toString(16).padStart(16, '0') + sha256(encoded.join('')).slice(16);
}
