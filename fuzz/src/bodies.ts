// Bodies of requests: valid ones, nearly valid ones and hostile ones.
import fc, { type Arbitrary } from 'fast-check';
import Schema from 'typebox/schema';
import type { Operation } from './operation.ts';
import { type Known, objectsOf } from './schema-values.ts';

/** A body, and whether the document allows it. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly fits: boolean;
  /** What was done to the body, for the report of a failure. */
  readonly about: string;
}

/** Levels of nesting in hostile bodies; the contract allows eight. */
const DEEP = 5_000;

/** Bodies that fit. */
export function validBodies(operation: Operation, known: Known): Arbitrary<Body> {
  return objectsOf(operation.request, known)
    .filter((value) => Schema.Check(operation.request, value))
    .map((value) => ({ bytes: bytesOf(JSON.stringify(value)), fits: true, about: 'valid' }));
}

/** Valid bodies with one field changed. The schema decides whether the result still fits. */
export function nearlyValidBodies(operation: Operation, known: Known): Arbitrary<Body> {
  const names = Object.keys(operation.request['properties'] ?? {});
  const name = names.length === 0 ? fc.constant('more') : fc.constantFrom(...names);
  const change = fc.oneof(
    fc.record({ kind: fc.constant('drop' as const), name }),
    fc.record({ kind: fc.constant('set' as const), name, value: oddValues }),
    fc.record({ kind: fc.constant('set' as const), name: oddNames, value: oddValues }),
    fc.record({ kind: fc.constant('rename' as const), name }),
  );
  return fc.tuple(objectsOf(operation.request, known), change).map(([base, { kind, ...what }]) => {
    const value: Record<string, unknown> = { ...base };
    const old = value[what.name];
    if (kind !== 'set') delete value[what.name];
    if (kind === 'rename') value[what.name.toUpperCase()] = old ?? 1;
    // The new field is not assigned: `value['__proto__'] = …` would set the prototype and send no field.
    const extra = 'value' in what ? [[what.name, what.value] as const] : [];
    const text = textOf([...Object.entries(value).filter(([key]) => key !== extra[0]?.[0]), ...extra]);
    const fits = Schema.Check(operation.request, JSON.parse(text)) && isReadStrictly(text);
    return { bytes: bytesOf(text), fits, about: `${kind} ${what.name}` };
  });
}

/** Bodies that no operation allows, some of them very long or deep. */
export function hostileBodies(operation: Operation): Arbitrary<Body> {
  const example = JSON.stringify(operation.exampleRequest);
  const open = example.slice(0, -1);
  const more = open.length > 1 ? `${open},` : open;
  const texts: readonly string[] = [
    `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
    `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
    `${more}"__proto__":{"isAdmin":true}}`,
    `${more}"constructor":{"prototype":{}}}`,
    `${more}"a":1,"a":1}`,
    `${more}"a":1e999}`,
    `${more}"\\ud800":1}`,
    `\uFEFF${example}`,
    `${example}${example}`,
    `${example}\u0000`,
    `[${example}]`,
    `"${'x'.repeat(70_000)}"`,
    `${more}"a":"${'\\u0000'.repeat(8_000)}"}`,
    'null',
    'true',
    '{',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":0x10}',
  ];
  const fixed = fc.constantFrom(...texts).map((text) => hostile(bytesOf(text), text.slice(0, 40)));
  const random = fc
    .uint8Array({ minLength: 1, maxLength: 300 })
    .map((bytes) => hostile(bytes, 'random bytes'));
  const cut = fc
    .nat({ max: example.length - 1 })
    .map((end) => hostile(bytesOf(example.slice(0, end)), 'cut'));
  const broken = fc.nat({ max: example.length }).map((at) => {
    const bytes = bytesOf(example);
    return hostile(
      Buffer.concat([bytes.subarray(0, at), Buffer.of(0xc3, 0x28), bytes.subarray(at)]),
      'not UTF-8',
    );
  });
  return fc
    .oneof({ arbitrary: fixed, weight: 3 }, random, cut, broken)
    .filter(({ bytes }) => !(bytes.length === 0 && operation.takesEmptyBody));
}

const oddNames = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'id', 'app_id', 'amount'),
  fc.string({ maxLength: 40, unit: 'binary' }),
);

const oddValues: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    2 ** 31,
    2 ** 53,
    1.5,
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    '+1',
    '１',
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    'null',
    '\u0000',
    '\u202e',
    "' OR 1=1 --",
    '<script>',
    '${x}',
    '../../x',
  ),
  fc.constantFrom<unknown>(
    '0x10',
    '9'.repeat(100),
    '9'.repeat(101),
    `0.${'0'.repeat(97)}1`,
    'http://[::1]/',
    'file:///x',
  ),
  fc.string({ maxLength: 300, unit: 'binary' }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.maxSafeInteger(),
);

function hostile(bytes: Uint8Array, about: string): Body {
  return { bytes, fits: false, about };
}

/** The contract's rules for every body beyond its schema: no keys that name prototypes, no fractions, no lone surrogates. */
function isReadStrictly(text: string): boolean {
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  const isPlain = numbers.every(
    (number) => /^(0|-?[1-9]\d*)$/.test(number) && Number.isSafeInteger(Number(number)),
  );
  return isPlain && !/"(__proto__|constructor|prototype)":/.test(text) && !/\\ud[89a-f]/i.test(text);
}

function textOf(entries: readonly (readonly [string, unknown])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}
