// The transactions of a block in the bytes that its transactions root covers, and their ids.
import { keccakOfBytes } from '../../keys/keccak.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import { fieldOf, hashOf, writeData, writeQuantity, writeText } from './hex-fields.ts';
import { RlpWriter } from './rlp-writer.ts';
import type { PackedValues } from './trie-root.ts';

/** As a provider shows them, in the order of the block. */
export interface Transactions extends PackedValues {
  readonly tape: JsonTape;
  readonly places: readonly Place[];
  /** `0x` hashes of the bytes; as reported for a type that this version does not know. */
  readonly ids: readonly string[];
  /** Whether this version knows every type, so that the bytes are those of the chain. */
  readonly areKnown: boolean;
}

/** A transaction of 300 bytes, of which a block has a few hundred. */
const firstRoom = 128 * 1024;

/** Throws Outage 'invalid' where a field is missing or not what its type asks for. */
export function readTransactions(tape: JsonTape, block: Place): Transactions {
  const places = tape.items(fieldOf(tape, block, 'transactions'));
  if (places === null) throw invalidAnswer('answered with a block without a list of transactions');
  const rlp = new RlpWriter(firstRoom);
  const ids: string[] = [];
  const ends: number[] = [];
  let areKnown = true;
  for (const place of places) {
    const from = rlp.length;
    const isKnown = writeTransaction(rlp, tape, place);
    ids.push(
      isKnown ? `0x${keccakOfBytes(rlp.bytes.subarray(from, rlp.length))}` : hashOf(tape, place, 'hash'),
    );
    ends.push(rlp.length);
    areKnown &&= isKnown;
  }
  return { tape, places, ids, areKnown, bytes: rlp.bytes, ends };
}

/** 0 to 4; null for a type that this version does not know. */
export function typeOf(tape: JsonTape, holder: Place): number | null {
  const place = tape.field(holder, 'type');
  if (place === -1) return 0;
  const type = Number(tape.text(place));
  return tape.isText(place) && Number.isInteger(type) && type >= 0 && type <= 4 ? type : null;
}

/** The address of the field `to`; -1 where the transaction creates a contract. */
export function recipientPlace(tape: JsonTape, place: Place): Place {
  const to = tape.field(place, 'to');
  return to === -1 || tape.isNull(to) ? -1 : to;
}

/** False, with nothing written, for a type that this version does not know. */
function writeTransaction(rlp: RlpWriter, tape: JsonTape, tx: Place): boolean {
  const type = typeOf(tape, tx);
  if (type === null) return false;
  if (type > 0) rlp.byte(type);
  const mark = rlp.open();
  if (type > 0) writeQuantity(rlp, tape, tx, 'chainId');
  writeQuantity(rlp, tape, tx, 'nonce');
  if (type < 2) {
    writeQuantity(rlp, tape, tx, 'gasPrice');
  } else {
    writeQuantity(rlp, tape, tx, 'maxPriorityFeePerGas');
    writeQuantity(rlp, tape, tx, 'maxFeePerGas');
  }
  writeQuantity(rlp, tape, tx, 'gas');
  const to = recipientPlace(tape, tx);
  if (to === -1) rlp.string(noBytes);
  else writeText(rlp, tape, to);
  writeQuantity(rlp, tape, tx, 'value');
  writeData(rlp, tape, tx, 'input');
  if (type > 0) writeAccessList(rlp, tape, tx);
  if (type === 3) {
    writeQuantity(rlp, tape, tx, 'maxFeePerBlobGas');
    writeDataList(rlp, tape, fieldOf(tape, tx, 'blobVersionedHashes'));
  }
  if (type === 4) writeAuthorizations(rlp, tape, tx);
  if (type === 0) writeQuantity(rlp, tape, tx, 'v');
  else writeParity(rlp, tape, tx);
  writeQuantity(rlp, tape, tx, 'r');
  writeQuantity(rlp, tape, tx, 's');
  rlp.close(mark);
  return true;
}

const noBytes = new Uint8Array(0);

/** Nodes name the parity `yParity`, `v`, or both. */
function writeParity(rlp: RlpWriter, tape: JsonTape, holder: Place): void {
  writeQuantity(rlp, tape, holder, tape.field(holder, 'yParity') === -1 ? 'v' : 'yParity');
}

function writeAccessList(rlp: RlpWriter, tape: JsonTape, tx: Place): void {
  const mark = rlp.open();
  for (const entry of listOf(tape, fieldOf(tape, tx, 'accessList'))) {
    const inner = rlp.open();
    writeData(rlp, tape, entry, 'address');
    writeDataList(rlp, tape, fieldOf(tape, entry, 'storageKeys'));
    rlp.close(inner);
  }
  rlp.close(mark);
}

function writeAuthorizations(rlp: RlpWriter, tape: JsonTape, tx: Place): void {
  const mark = rlp.open();
  for (const entry of listOf(tape, fieldOf(tape, tx, 'authorizationList'))) {
    const inner = rlp.open();
    writeQuantity(rlp, tape, entry, 'chainId');
    writeData(rlp, tape, entry, 'address');
    writeQuantity(rlp, tape, entry, 'nonce');
    writeParity(rlp, tape, entry);
    writeQuantity(rlp, tape, entry, 'r');
    writeQuantity(rlp, tape, entry, 's');
    rlp.close(inner);
  }
  rlp.close(mark);
}

function writeDataList(rlp: RlpWriter, tape: JsonTape, place: Place): void {
  const mark = rlp.open();
  for (const item of listOf(tape, place)) writeText(rlp, tape, item);
  rlp.close(mark);
}

function listOf(tape: JsonTape, place: Place): readonly Place[] {
  const items = tape.items(place);
  if (items === null) throw invalidAnswer('answered with a transaction that lacks a list');
  return items;
}
