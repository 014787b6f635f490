// JSON from a source, read without losing a digit. Its fields are checked strictly, and an error names the missing one.
import { LosslessNumber, parse } from 'lossless-json';
import { Outage } from '../runtime/outage.ts';

/** Numbers stay as the source wrote them. Throws Outage for anything that is not one complete JSON text. */
export function readJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    throw nonsense('answered with something that is not complete JSON');
  }
}

/** A member of an object. Throws Outage where there is no object or no such member of its own. */
export function memberOf(value: unknown, name: string): unknown {
  const found = optionalMember(value, name);
  if (found === undefined) throw nonsense(`lacks ${printable(name)}`);
  return found;
}

/** The same, undefined where an object has no such member. */
export function optionalMember(value: unknown, name: string): unknown {
  if (!isObject(value)) throw nonsense(`has no object where ${printable(name)} should be`);
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The elements of an array. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw nonsense(`${what} is not a list`);
  return value;
}

export function stringOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw nonsense(`${what} is not a text`);
  return value;
}

/** The digits of a JSON number, exactly as written. */
export function numberTextOf(value: unknown, what: string): string {
  if (!(value instanceof LosslessNumber)) throw nonsense(`${what} is not a number`);
  return value.value;
}

/** The error of an answer that cannot be believed. Asking again later may help. */
export function nonsense(message: string): Outage {
  return new Outage(message, { retryable: true });
}

/** A source's text in a form that may be shown: short, and without control characters. */
export function printable(text: string): string {
  return text.slice(0, 80).replace(/\p{Cc}/gu, ' ');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)
  );
}
