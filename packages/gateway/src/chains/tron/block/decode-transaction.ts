// Decodes a transaction of a block from its bytes: id, result and contract. What else the JSON says is ignored.
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

/**
 * The fields that nodes write of a transaction. `raw_data` repeats the raw bytes, and a deployment's address follows from
 * them.
 */
const names = ['ret', 'signature', 'txID', 'raw_data', 'raw_data_hex', 'contract_address'];
/** Length of the bytes that a node above the leaves is hashed from. */
const innerNodeBytes = 64;

/** Throws Outage 'invalid' where the id is not the hash of the bytes. Bytes that a payer chose never throw. */
export function decodeTransaction(json: Json, raw: Buffer): DecodedTransaction {
  const id = sha256(raw);
  const shown = json.get('txID');
  if (shown.text !== id && shown.asHex('a transaction id', 32) !== id)
    throw invalidAnswer('a transaction does not have the id that it is given');
  return { id, outcome: outcomeOf(json.get('ret').asRecords('results')), contract: decodeContract(raw) };
}

/**
 * The hash of all bytes of the transaction, with signatures and results. Null where the JSON holds more than this version
 * knows, because then no root can be computed.
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
  // Decoding stops at the first character that is not a hex digit.
  const bytes = Buffer.from(digits, 'hex');
  if (bytes.length * 2 === digits.length) return bytes;
  throw invalidAnswer('answered with raw bytes that are not a number of bytes as hex');
}
