// A transaction of a block by its bytes: id, result and contract; what the JSON says beside them is ignored.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { Json } from '../wire/json.ts';
import { messageField, messageHead } from '../wire/protobuf.ts';
import { sha256 } from '../wire/sha256.ts';
import { type DecodedContract, decodeContract } from './decode-contract.ts';
import { type Outcome, outcomeOf, resultBytes } from './transaction-result.ts';

export interface DecodedTransaction {
  readonly id: string;
  readonly outcome: Outcome;
  readonly contract: DecodedContract;
}

/** What nodes write of a transaction; `raw_data` repeats the raw bytes, and the address of a deployment follows from them. */
const names = ['ret', 'signature', 'txID', 'raw_data', 'raw_data_hex', 'contract_address'];
/** What a node above the leaves is hashed from. */
const innerNodeBytes = 64;

/** Throws Outage 'invalid' where the id is not the hash of the bytes. What a payer wrote into them never throws. */
export function decodeTransaction(json: Json, raw: Buffer): DecodedTransaction {
  const id = sha256(raw);
  const shown = json.get('txID');
  if (shown.text !== id && shown.asHex('a transaction id', 32) !== id)
    throw invalidAnswer('a transaction does not have the id that it is given');
  return { id, outcome: outcomeOf(json.get('ret').asRecords('results')), contract: decodeContract(raw) };
}

/**
 * The hash of all bytes of the transaction, with signatures and results. Null where the JSON holds more than what is
 * known here, and then no root can be made of it.
 */
export function leafOf(json: Json, raw: Buffer): string | null {
  let rest = '';
  for (const signature of json.get('signature').asList('signatures'))
    rest += messageField(2, signature.asHex('a signature'));
  for (const result of json.get('ret').asRecords('results')) {
    const bytes = resultBytes(result);
    if (bytes === null) return null;
    rest += messageField(5, bytes);
  }
  if (!json.hasOnly(names)) return null;
  const head = messageHead(1, raw.length);
  const bytes = Buffer.allocUnsafe((head.length + rest.length) / 2 + raw.length);
  bytes.write(head, 0, 'hex');
  raw.copy(bytes, head.length / 2);
  bytes.write(rest, head.length / 2 + raw.length, 'hex');
  // Leaves and the nodes above them are hashed alike, so a leaf as long as such a node could be one, and prove another
  // list by the same root; no transaction that moves anything is that short.
  // mark: no-inner-node-for-a-leaf
  return bytes.length === innerNodeBytes ? null : sha256(bytes);
}

/** The bytes that were signed. */
export function rawBytesOf(json: Json): Buffer {
  const digits = json.get('raw_data_hex').text ?? '?';
  // Decoding stops at what is no digit.
  const bytes = Buffer.from(digits, 'hex');
  if (bytes.length * 2 === digits.length) return bytes;
  throw invalidAnswer('answered with raw bytes that are not a number of bytes as hex');
}
