// Values that fit a JSON schema, as far as the document of the merchant API uses schemas.
import fc, { type Arbitrary } from 'fast-check';
import Schema from 'typebox/schema';
import { isObject, type Json, objectAt } from './operation.ts';

/** Values of earlier answers, by the name of the field. Random text would never hit them. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** The most characters of a text, whatever the schema allows. */
const MAX_TEXT = 200;

/** Objects that fit the schema: every required field, optional ones now and then. */
export function objectsOf(schema: Json, known: Known): Arbitrary<Record<string, unknown>> {
  const fields = objectAt(schema, 'properties');
  const arbitraries = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldValues(name, objectAt(field), known)]),
  );
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return fc.record(arbitraries, { requiredKeys: required, noNullPrototype: true });
}

/** Fields whose value may be used only once. Known values are rare here, because otherwise every order would be repeated. */
const USED_ONCE: ReadonlySet<string> = new Set(['out_trade_no']);

/** Values of a field, most of them known ones where there are any, because those reach further than random values. */
function fieldValues(name: string, schema: Json, known: Known): Arbitrary<unknown> {
  const fitting = valuesOf(schema);
  const seen = (known[name] ?? []).filter((value) => Schema.Check(schema, value));
  if (seen.length === 0) return fitting;
  const again = fc.constantFrom(...seen);
  return USED_ONCE.has(name)
    ? fc.oneof({ arbitrary: fitting, weight: 8 }, again)
    : fc.oneof(fitting, { arbitrary: again, weight: 8 });
}

/** Values of one field. Throws where the schema has a type that is not handled here. */
function valuesOf(schema: Json): Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return integerOf(schema);
    case 'array':
      return listOf(schema);
    case undefined:
      // No type at all: anything goes, as for fields that are accepted and ignored.
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`a schema of type ${String(schema['type'])} is new to the fuzzer`);
  }
}

function listOf(schema: Json): Arbitrary<readonly unknown[]> {
  const items = valuesOf(objectAt(schema, 'items'));
  const bounds = { minLength: numberAt(schema, 'minItems', 0), maxLength: numberAt(schema, 'maxItems', 10) };
  return schema['uniqueItems'] === true ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
}

function textOf(schema: Json): Arbitrary<string> {
  const maxLength = Math.min(numberAt(schema, 'maxLength', MAX_TEXT), MAX_TEXT);
  const minLength = numberAt(schema, 'minLength', 0);
  const { pattern } = schema;
  if (typeof pattern !== 'string') return fc.string({ minLength, maxLength, unit: 'grapheme' });
  const fits = new RegExp(pattern, 'u');
  return fc
    .stringMatching(new RegExp(pattern), { maxLength })
    .filter((text) => text.length >= minLength && fits.test(text));
}

/** Integers within the bounds. An `anyOf` lists the ranges inside them. */
function integerOf(schema: Json): Arbitrary<number> {
  const min = numberAt(schema, 'minimum', Number.MIN_SAFE_INTEGER);
  const max = numberAt(schema, 'maximum', Number.MAX_SAFE_INTEGER);
  const ranges = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isObject) : [];
  if (ranges.length === 0) return fc.integer({ min, max });
  return fc.oneof(
    ...ranges.map((range) =>
      typeof range['const'] === 'number'
        ? fc.constant(range['const'])
        : fc.integer({ min: numberAt(range, 'minimum', min), max: numberAt(range, 'maximum', max) }),
    ),
  );
}

function numberAt(schema: Json, name: string, otherwise: number): number {
  const value = schema[name];
  return typeof value === 'number' ? value : otherwise;
}
