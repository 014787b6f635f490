// A transaction of a block as its bytes tell it: id, result and contract; what the JSON says beside them is ignored.
import { LyingNode } from '../endpoint/lying-node.ts';
import { type ReadContract, readContract } from './read-contract.ts';
import { bytesOf, hexOf, type Json, listOf } from './node-json.ts';
import { messageField, type Shape } from './wire/protobuf.ts';
import { sha256 } from './wire/sha256.ts';
import { type Outcome, outcomeOf, resultBytes } from './transaction-result.ts';
import { unknownFields } from './unknown-fields.ts';

/** Raw bytes, signatures and results, all of which have a name in the JSON. */
const transactionShape: Shape = { 1: 'message', 2: 'messages', 5: 'messages' };

export interface RawTransaction {
  readonly id: string;
  /**
   * All its bytes, with signatures and result: a leaf of the root. Null where the JSON does not say what they are,
   * and then no root can be made of them.
   */
  readonly bytes: string | null;
  readonly outcome: Outcome;
  readonly contract: ReadContract;
}

/** Throws LyingNode where the id is not the hash of the bytes. What a payer wrote into them never throws. */
export function rawTransaction(json: Json): RawTransaction {
  const raw = bytesOf(json['raw_data_hex'], 'raw bytes');
  const id = sha256(raw);
  const { txID } = json;
  if (txID !== id && hexOf(txID, 'a transaction id', 32) !== id)
    throw new LyingNode('a transaction does not have the id that it is given');
  const results = listOf(json['ret'], 'results');
  const bytes = leafOf(raw, json, results);
  return { id, bytes, outcome: outcomeOf(results), contract: readContract(raw, id) };
}

function leafOf(raw: Buffer, json: Json, results: readonly Json[]): string | null {
  const signatures = json['signature'] ?? [];
  if (!Array.isArray(signatures)) throw new LyingNode('answered with signatures that are no list');
  try {
    return (
      messageField(1, raw.toString('hex')) +
      signatures.map((signature: unknown) => messageField(2, hexOf(signature, 'a signature'))).join('') +
      results.map((result) => messageField(5, resultBytes(result))).join('') +
      unknownFields(json, transactionShape)
    );
  } catch (error) {
    if (error instanceof LyingNode) return null;
    throw error;
  }
}
