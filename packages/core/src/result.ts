// A decision that may be "no": the value, or the refusal that says why.
import type { Refusal } from './refusal.ts';

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

/** A decision that went through. */
export function accept<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A decision that is a business "no". */
export function refuse(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}
