// Numbers as EVM nodes answer them: hex behind 0x.
import { invalidAnswer } from '../rpc/invalid-answer.ts';

const quantity = /^0x[0-9a-fA-F]{1,64}$/;

/** Throws Outage 'invalid' where the answer is no such number. */
export function quantityIn(answer: unknown): bigint {
  if (typeof answer === 'string' && quantity.test(answer)) return BigInt(answer);
  throw invalidAnswer('answered with something that is no number');
}

/** The same, where it is exact as a JavaScript number. */
export function numberIn(answer: unknown): number {
  const number = Number(quantityIn(answer));
  if (!Number.isSafeInteger(number)) throw invalidAnswer('answered with something that is no number');
  return number;
}
