// A transaction of a block as its bytes tell it: id, result and contract; what the JSON says beside them is ignored.
import { LyingNode } from '../endpoint/lying-node.ts';
import { hexOf, integerOf, type Json, listOf } from './node-json.ts';
import { bytesField, bytesIn, fieldsOf, integerField, integerIn, messageField } from './protobuf.ts';
import { sha256 } from './sha256.ts';

/** What a transaction was executed to; `missing` where the block's producer wrote no result. */
export type Outcome = 'succeeded' | 'failed' | 'missing';

/** The one contract of a transaction: its type's number and its payload. */
export interface ContractCall {
  readonly type: bigint;
  readonly payload: string;
}

export interface RawTransaction {
  readonly id: string;
  /** All its bytes, with signatures and result: a leaf of the root. */
  readonly bytes: string;
  readonly outcome: Outcome;
  /** Null where there is not exactly one. */
  readonly call: ContractCall | null;
}

/** Names of `contractRet` in the order of their numbers. */
const contractResults = [
  'DEFAULT',
  'SUCCESS',
  'REVERT',
  'BAD_JUMP_DESTINATION',
  'OUT_OF_MEMORY',
  'PRECOMPILED_CONTRACT',
  'STACK_TOO_SMALL',
  'STACK_TOO_LARGE',
  'ILLEGAL_OPERATION',
  'STACK_OVERFLOW',
  'OUT_OF_ENERGY',
  'OUT_OF_TIME',
  'JVM_STACK_OVER_FLOW',
  'UNKNOWN',
  'TRANSFER_FAILED',
  'INVALID_CODE',
];
const success = 'SUCCESS';

/** Throws LyingNode where the id is not the hash of the bytes, or a result has a name that does not exist. */
export function rawTransaction(json: Json): RawTransaction {
  const rawHex = hexOf(json['raw_data_hex'], 'raw bytes');
  const id = hexOf(json['txID'], 'a transaction id', 32);
  if (sha256(rawHex) !== id) throw new LyingNode('a transaction does not have the id that it is given');
  const results = listOf(json['ret'], 'results');
  const signatures = json['signature'] ?? [];
  if (!Array.isArray(signatures)) throw new LyingNode('answered with signatures that are no list');
  const bytes =
    bytesField(1, rawHex) +
    signatures.map((signature: unknown) => messageField(2, hexOf(signature, 'a signature'))).join('') +
    results.map((result) => messageField(5, resultBytes(result))).join('');
  return { id, bytes, outcome: outcomeOf(results), call: callOf(rawHex) };
}

function resultBytes(result: Json): string {
  const name = result['contractRet'] ?? 'DEFAULT';
  const code = typeof name === 'string' ? contractResults.indexOf(name) : -1;
  if (code < 0) throw new LyingNode('answered with a contractRet that is not known here');
  const failed = result['ret'] === 'FAILED' ? 1n : 0n;
  return (
    integerField(1, integerOf(result['fee'], 'a fee')) +
    integerField(2, failed) +
    integerField(3, BigInt(code)) +
    integerField(27, integerOf(result['withdraw_expire_amount'], 'an amount')) +
    listOf(result['cancel_unfreezeV2_amount'], 'amounts').map(amountEntry).join('')
  );
}

function amountEntry({ key, value }: Json): string {
  const name = Buffer.from(String(key)).toString('hex');
  return messageField(28, bytesField(1, name) + integerField(2, integerOf(value, 'an amount')));
}

function outcomeOf(results: readonly Json[]): Outcome {
  const [result] = results;
  const name = result?.['contractRet'];
  if (result === undefined || results.length > 1 || name === undefined || name === 'DEFAULT')
    return 'missing';
  return name === success && result['ret'] !== 'FAILED' ? 'succeeded' : 'failed';
}

function callOf(rawHex: string): ContractCall | null {
  const contracts = fieldsOf(rawHex).filter(({ id }) => id === 11);
  const [only] = contracts;
  if (contracts.length !== 1 || typeof only?.value !== 'string') return null;
  const contract = fieldsOf(only.value);
  return { type: integerIn(contract, 1), payload: bytesIn(fieldsOf(bytesIn(contract, 2)), 2) };
}
