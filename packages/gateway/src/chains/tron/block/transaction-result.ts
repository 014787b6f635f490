// The results of a transaction: their bytes, which the root covers, and what they say about its execution.
import { type Json } from '../wire/json.ts';
import { integerField } from '../wire/protobuf.ts';

/**
 * What a transaction was executed to; `missing` where the block's producer wrote no result, `unknown` where he wrote
 * one that is not known here.
 */
export type Outcome = 'succeeded' | 'failed' | 'missing' | 'unknown';

/** Names of `contractRet` in the order of their numbers. */
const contractResults: readonly unknown[] =
  `DEFAULT SUCCESS REVERT BAD_JUMP_DESTINATION OUT_OF_MEMORY PRECOMPILED_CONTRACT STACK_TOO_SMALL STACK_TOO_LARGE
  ILLEGAL_OPERATION STACK_OVERFLOW OUT_OF_ENERGY OUT_OF_TIME JVM_STACK_OVER_FLOW UNKNOWN TRANSFER_FAILED
  INVALID_CODE`.split(/\s+/);
const contractRet = 3;

/**
 * The bytes of one result as hex; null for one that holds more than nodes write. They clear what a payer wrote before
 * they take a transaction, and producers set contractRet alone.
 */
export function resultBytes(result: Json): string | null {
  const [name, ...more] = Object.keys(result);
  if (name === undefined) return '';
  const code = contractResults.indexOf(result['contractRet']);
  return code < 0 || more.length > 0 ? null : integerField(contractRet, BigInt(code));
}

/** By contractRet of the first result, as java-tron does: every node has executed the transaction and compared. */
export function outcomeOf(results: readonly Json[]): Outcome {
  const name = results[0]?.['contractRet'] ?? 'DEFAULT';
  if (name === 'DEFAULT') return 'missing';
  if (name === 'SUCCESS') return 'succeeded';
  return contractResults.includes(name) ? 'failed' : 'unknown';
}
