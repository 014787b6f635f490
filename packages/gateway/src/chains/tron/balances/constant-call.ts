// Calls contracts without effect, and reads what the call returned.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import type { Json } from '../wire/json.ts';

export interface CallOutcome {
  readonly status: 'returned' | 'reverted' | 'failed';
  /** What the code returned or reverted with, as hex; empty where it failed. */
  readonly data: string;
  /** Whether time or energy ran out, so that less work may succeed. */
  readonly isTooMuch: boolean;
  /** The energy that the call took, or would have taken. */
  readonly energy: bigint;
}

// Names of exceptions differ between versions, so only their texts are compared.
const tooMuch = /cpu timeout|not enough energy/i;

/** `parameters` are those of triggerconstantcontract. Throws what the API throws. */
export async function callConstant(
  api: HttpApi,
  parameters: Readonly<Record<string, string>>,
): Promise<CallOutcome> {
  const answer = (await api('triggerconstantcontract', parameters)).asRecord('a call');
  const result = answer.get('result').asRecord('the result of a call');
  const energy = answer.get('energy_used').asInteger('energy');
  // A reverted call is answered with `result: true`, so only `ret` counts.
  const results = answer.get('transaction').get('ret').asRecords('results');
  const hasFailed = results.some((one) => one.get('ret').text === 'FAILED');
  const isTooMuch = saysTooMuch(result.get('message'));
  if (!result.get('result').is('true')) return { status: 'failed', data: '', isTooMuch, energy };
  const values = answer.get('constant_result');
  if (!values.isList) throw invalidAnswer('answered a call without its result');
  const data = values.asList('results')[0]?.asHex('the result of a call') ?? '';
  return { status: hasFailed ? 'reverted' : 'returned', data, isTooMuch: hasFailed && isTooMuch, energy };
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

/** The balance that a token reports for an address. */
export function callBalance(api: HttpApi, token: string, holder: string): Promise<CallOutcome> {
  return callFunction(api, token, 'balanceOf(address)', holder.slice(2).padStart(64, '0'));
}

/** The result as an unsigned integer; null where the call returned no word. */
export function integerFrom({ status, data }: CallOutcome): bigint | null {
  return status === 'returned' && data.length === 64 ? BigInt(`0x${data}`) : null;
}

/** The node sends messages as text in hex. */
function saysTooMuch(message: Json): boolean {
  return tooMuch.test(Buffer.from(message.asHex('a message'), 'hex').toString('utf8'));
}
