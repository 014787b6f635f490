// Calls of contracts that change nothing, and how a node says what came of them.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { hexOf, integerOf, isRecord, listOf, recordOf } from '../wire/json.ts';

export interface CallOutcome {
  readonly status: 'returned' | 'reverted' | 'failed';
  /** What the code returned or reverted with, as hex; empty where it failed. */
  readonly data: string;
  /** Whether time or energy ran out, so that less work may succeed. */
  readonly isTooMuch: boolean;
  /** What it took, or would have taken. */
  readonly energy: bigint;
}

// Names of exceptions differ between versions, so only their texts are looked at.
const tooMuch = /cpu timeout|not enough energy/i;

/** `parameters` are those of triggerconstantcontract. Throws what the API throws. */
export async function callConstant(
  api: HttpApi,
  parameters: Readonly<Record<string, string>>,
): Promise<CallOutcome> {
  const answer = recordOf(await api('triggerconstantcontract', parameters), 'a call');
  const { result, message } = recordOf(answer['result'], 'the result of a call');
  const energy = integerOf(answer['energy_used'], 'energy');
  const transaction = isRecord(answer['transaction']) ? answer['transaction'] : {};
  // A reverted call is answered with `result: true`, so only `ret` counts.
  const hasFailed = listOf(transaction['ret'], 'results').some(({ ret }) => ret === 'FAILED');
  if (result !== true) return { status: 'failed', data: '', isTooMuch: saysTooMuch(message), energy };
  const values = answer['constant_result'];
  if (!Array.isArray(values)) throw invalidAnswer('answered a call without its result');
  const data = hexOf(values[0], 'the result of a call');
  const isTooMuch = hasFailed && saysTooMuch(message);
  return { status: hasFailed ? 'reverted' : 'returned', data, isTooMuch, energy };
}

/** A function of a contract by its signature. */
export function callFunction(
  api: HttpApi,
  contract: string,
  signature: string,
  parameter = '',
): Promise<CallOutcome> {
  const call = { owner_address: contract, contract_address: contract };
  return callConstant(api, { ...call, function_selector: signature, parameter });
}

/** What a token says that an address holds. */
export function callBalance(api: HttpApi, token: string, holder: string): Promise<CallOutcome> {
  return callFunction(api, token, 'balanceOf(address)', holder.slice(2).padStart(64, '0'));
}

/** A word as an unsigned integer, null where the call gave none. */
export function integerFrom({ status, data }: CallOutcome): bigint | null {
  return status === 'returned' && data.length === 64 ? BigInt(`0x${data}`) : null;
}

/** Messages are text as hex. */
function saysTooMuch(message: unknown): boolean {
  return tooMuch.test(Buffer.from(hexOf(message, 'a message'), 'hex').toString('utf8'));
}
