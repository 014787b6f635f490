// The transactions of a block in the bytes that its transactions root covers, and their ids.
import { keccakOfBytes } from '../../keys/keccak.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import {
  dataOf,
  fieldOf,
  isAbsent,
  listOf,
  type Write,
  writeData,
  writeQuantity,
  writeText,
} from './hex-fields.ts';
import { RlpWriter } from './rlp-writer.ts';
import type { PackedValues } from './trie-root.ts';

/** The transactions as a provider shows them, in the order of the block. */
export interface Transactions extends PackedValues {
  readonly tape: JsonTape;
  readonly places: readonly Place[];
  /** `0x` hashes of the bytes; for a type that this version does not know, the id that the provider reports. */
  readonly ids: readonly string[];
  /** Whether this version knows every type, so that the bytes are those of the chain. */
  readonly areKnown: boolean;
}

/** Room for the first transactions: each takes 150 bytes, and a block has a few hundred. */
const firstRoom = 64 * 1024;
const noBytes = new Uint8Array(0);

/** How fields are written that are not quantities. */
const writers: Readonly<Record<string, Write>> = {
  input: writeData,
  address: writeData,
  to: (rlp, tape, tx, name) => {
    if (isAbsent(tape, tx, name)) rlp.string(noBytes);
    else writeData(rlp, tape, tx, name);
  },
  // Nodes name the parity `yParity`, `v`, or both.
  yParity: (rlp, tape, holder, name) =>
    writeQuantity(rlp, tape, holder, tape.field(holder, name) === -1 ? 'v' : name),
  storageKeys: listWriter((rlp, tape, key) => writeText(rlp, tape, key)),
  blobVersionedHashes: listWriter((rlp, tape, hash) => writeText(rlp, tape, hash)),
  accessList: listWriter((rlp, tape, entry) => writeList(rlp, tape, entry, accessFields)),
  authorizationList: listWriter((rlp, tape, entry) => writeList(rlp, tape, entry, authorizationFields)),
};
const accessFields = fieldsOf('address storageKeys');
const authorizationFields = fieldsOf('chainId address nonce yParity r s');

const fees = 'maxPriorityFeePerGas maxFeePerGas';
const call = 'gas to value input';
/** The fields by transaction type, in the order of the protocol; the last three are the signature. */
const typeFields = [
  `nonce gasPrice ${call} v r s`,
  `chainId nonce gasPrice ${call} accessList yParity r s`,
  `chainId nonce ${fees} ${call} accessList yParity r s`,
  `chainId nonce ${fees} ${call} accessList maxFeePerBlobGas blobVersionedHashes yParity r s`,
  `chainId nonce ${fees} ${call} accessList authorizationList yParity r s`,
].map(fieldsOf);

/** Throws Outage 'invalid' where a field is missing or not what its type asks for. */
export function readTransactions(tape: JsonTape, block: Place): Transactions {
  const places = listOf(tape, fieldOf(tape, block, 'transactions'));
  const rlp = new RlpWriter(firstRoom);
  const ids: string[] = [];
  const ends: number[] = [];
  for (const place of places) {
    const from = rlp.length;
    const type = typeOf(tape, place);
    if (type !== null) writeTransaction(rlp, tape, place, type);
    const bytes = rlp.bytes.subarray(from, rlp.length);
    ids.push(type === null ? dataOf(tape, place, 'hash', 32) : `0x${keccakOfBytes(bytes)}`);
    ends.push(rlp.length);
  }
  const areKnown = places.every((place) => typeOf(tape, place) !== null);
  return { tape, places, ids, areKnown, bytes: rlp.bytes, ends };
}

/** 0 to 4; null for a type that this version does not know. */
export function typeOf(tape: JsonTape, holder: Place): number | null {
  const place = tape.field(holder, 'type');
  if (place === -1) return 0;
  const type = tape.isText(place) ? Number(tape.text(place)) : Number.NaN;
  return typeFields[type] === undefined ? null : type;
}

/** Writes what a transaction's signature covers: all but the signature, and for legacy types what EIP-155 adds. */
export function writeUnsigned(rlp: RlpWriter, tape: JsonTape, tx: Place, added: readonly Uint8Array[]): void {
  const type = typeOf(tape, tx) ?? 0;
  if (type > 0) rlp.byte(type);
  writeList(rlp, tape, tx, (typeFields[type] ?? []).slice(0, -3), added);
}

function writeTransaction(rlp: RlpWriter, tape: JsonTape, tx: Place, type: number): void {
  if (type > 0) rlp.byte(type);
  writeList(rlp, tape, tx, typeFields[type] ?? []);
}

type Field = readonly [name: string, write: Write];

function fieldsOf(names: string): readonly Field[] {
  return names.split(' ').map((name) => [name, writers[name] ?? writeQuantity]);
}

function writeList(
  rlp: RlpWriter,
  tape: JsonTape,
  object: Place,
  fields: readonly Field[],
  added: readonly Uint8Array[] = [],
): void {
  const mark = rlp.open();
  for (const [name, write] of fields) write(rlp, tape, object, name);
  for (const item of added) rlp.string(item);
  rlp.close(mark);
}

function listWriter(writeItem: (rlp: RlpWriter, tape: JsonTape, item: Place) => void): Write {
  return (rlp, tape, object, name) => {
    const mark = rlp.open();
    for (const item of listOf(tape, fieldOf(tape, object, name))) writeItem(rlp, tape, item);
    rlp.close(mark);
  };
}
