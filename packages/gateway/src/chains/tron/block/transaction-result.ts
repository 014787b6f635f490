// The results of a transaction: their bytes, which the root covers, and what they say about its execution.
import type { Json } from '../wire/json.ts';
import { integerField } from '../wire/protobuf.ts';

/**
 * The result of a transaction's execution; `missing` where the block's producer wrote no result, `unknown` where the
 * producer wrote one that this version does not know.
 */
export type Outcome = 'succeeded' | 'failed' | 'missing' | 'unknown';

/** Names of `contractRet` in the order of their numbers. */
const contractResults: readonly (string | null)[] =
  `DEFAULT SUCCESS REVERT BAD_JUMP_DESTINATION OUT_OF_MEMORY PRECOMPILED_CONTRACT STACK_TOO_SMALL STACK_TOO_LARGE
  ILLEGAL_OPERATION STACK_OVERFLOW OUT_OF_ENERGY OUT_OF_TIME JVM_STACK_OVER_FLOW UNKNOWN TRANSFER_FAILED
  INVALID_CODE`.split(/\s+/);
const contractRet = 3;

/**
 * The bytes of one result as hex; null for a result that holds more than nodes write. Nodes clear what a payer wrote before
 * they take a transaction, and producers set contractRet alone.
 */
export function resultBytes(result: Json): string | null {
  if (result.hasOnly([])) return '';
  const code = contractResults.indexOf(result.get('contractRet').text);
  return code < 0 || !result.hasOnly(['contractRet']) ? null : integerField(contractRet, BigInt(code));
}

/** By contractRet of the first result, as in java-tron: every node has executed the transaction and compared the result. */
export function outcomeOf(results: readonly Json[]): Outcome {
  const result = results[0]?.get('contractRet');
  const name = result?.text ?? null;
  if (result === undefined || result.isAbsent || name === 'DEFAULT') return 'missing';
  if (name === 'SUCCESS') return 'succeeded';
  return contractResults.includes(name) ? 'failed' : 'unknown';
}
