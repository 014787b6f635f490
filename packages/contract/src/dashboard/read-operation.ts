// The one way from the raw body of a dashboard request to a checked request.
import type { Static, TObject } from 'typebox';
import { parseStrictJson } from '../requests/strict-json.ts';
import { checkFields, type Validated } from '../requests/validate.ts';

/** Reads and checks the body of a request: one JSON object with the operation's fields and no others. */
export function readOperation<Req extends TObject>(
  operation: { readonly request: Req },
  bytes: Uint8Array,
): Validated<Static<Req>> {
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return parsed;
  const refusal = checkFields(operation.request, parsed.value);
  // The cast states what checkFields has just checked: every field fits the request schema.
  return refusal ?? { ok: true, value: parsed.value as Static<Req> };
}
