// Checks a parsed request against the schema of its endpoint and says in English what is wrong.
import type { TObject, TSchema } from 'typebox';
import Schema from 'typebox/schema';
import type { Endpoint } from '../endpoint.ts';
import type { Fitting } from '../fields/schema-for.ts';
import { fromLegacyRequest } from '../legacy.ts';
import { printableName } from './printable-name.ts';

/** A request that fits its endpoint, or the first field that does not. */
export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly field: string; readonly message: string };

/**
 * Checks a request. `legacy` means that it arrived on the old path; the returned value is in the current shape in any
 * case. Only the schema is checked here. The decimals of a currency, the window of time_out and the rules between
 * fields are left to business code.
 */
export function validateRequest<E extends Endpoint>(
  endpoint: E,
  legacy: boolean,
  value: unknown,
): Validated<Fitting<E['request']>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, field: 'body', message: 'body must be one JSON object' };
  }
  let fields: Record<string, unknown> = { ...value };
  if (legacy) {
    const refusal = checkFields(endpoint.legacyRequest, fields);
    if (refusal) return refusal;
    fields = fromLegacyRequest(fields);
  }
  const refusal = checkFields(endpoint.request, fields);
  // The cast states what checkFields has just checked: every field fits the request schema.
  return refusal ?? { ok: true, value: fields as Fitting<E['request']> };
}

interface FieldRefusal {
  readonly ok: false;
  readonly field: string;
  readonly message: string;
}

/**
 * The first unknown, missing or invalid field of a flat object. Fields are checked one by one, so that the message can
 * name the field.
 */
export function checkFields(schema: TObject, fields: Record<string, unknown>): FieldRefusal | undefined {
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(schema.properties, name)) return refuse(printableName(name), 'is not a known field');
  }
  const required: readonly string[] = schema.required ?? [];
  for (const [name, field] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(fields, name)) {
      if (required.includes(name)) return refuse(name, 'is required');
    } else if (!Schema.Check(field, fields[name])) {
      return refuse(name, `must be ${expectationOf(field)}`);
    }
  }
  return undefined;
}

/** The end of the sentence "<field> must be …", which each request field's schema carries. */
function expectationOf(field: TSchema): string {
  const expectation = 'x-expects' in field ? field['x-expects'] : undefined;
  return typeof expectation === 'string' ? expectation : 'of the documented type';
}

function refuse(field: string, problem: string): FieldRefusal {
  return { ok: false, field, message: `${field} ${problem}` };
}
