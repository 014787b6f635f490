// Reads a record from outside strictly: every field named once, of its form, and no other. Nothing is coerced.

export interface FieldReader {
  /** A whole number from 0 to `most`. */
  number(name: string, most: number): number;
  /** Decimal digits without a leading zero, from 0 to `most`. */
  baseUnits(name: string, most: bigint): bigint;
  text(name: string, form: RegExp): string;
  /** True or false. */
  flag(name: string): boolean;
  choice<Text extends string>(name: string, texts: readonly [Text, ...Text[]]): Text;
  record(name: string): FieldReader;
  /** A list, whose items are still to be read. At most 1024 of them. */
  list(name: string): readonly unknown[];
  /** A list of records, each as `read` makes it. At most 1024 of them. */
  records<Value>(name: string, read: (fields: FieldReader) => Value): readonly Value[];
  /** A condition that several fields have to meet together. */
  expect(isRight: boolean): void;
  /** Null where the field is null, else what `read` makes of it. */
  nullable<Value>(name: string, read: (name: string) => Value): Value | null;
  /** Null where there is no such field, else what `read` makes of it. */
  optional<Value>(name: string, read: (name: string) => Value): Value | null;
}

const MAX_ITEMS = 1024;

/** What all readers of one value share. */
interface Reading {
  isBroken: boolean;
  /** The records met, each with the names that were asked for. */
  readonly met: { readonly keys: readonly string[]; readonly asked: Set<string> }[];
}

/** What `read` makes of a record; null where a field is missing, foreign, of another form, or not asked for. */
export function readFields<Value>(value: unknown, read: (fields: FieldReader) => Value): Value | null {
  const reading: Reading = { isBroken: false, met: [] };
  const result = read(readerOf(value, reading));
  const isExact = reading.met.every(({ keys, asked }) => keys.every((key) => asked.has(key)));
  return isExact && !reading.isBroken ? result : null;
}

function readerOf(value: unknown, reading: Reading): FieldReader {
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (!isRecord(value)) reading.isBroken = true;
  const fields = new Map<string, unknown>(entries);
  const asked = new Set<string>();
  reading.met.push({ keys: [...fields.keys()], asked });
  const get = (name: string): unknown => {
    asked.add(name);
    return fields.get(name);
  };
  /** The value where it is right; else a stand-in, which `readFields` never returns. */
  const checked = <Value>(isRight: boolean, right: () => Value, standIn: Value): Value => {
    if (isRight) return right();
    reading.isBroken = true;
    return standIn;
  };
  const list = (name: string): readonly unknown[] => {
    const value = get(name);
    const isList = Array.isArray(value) && value.length <= MAX_ITEMS;
    return checked(isList, () => (isList ? value : []), []);
  };
  return {
    number: (name, most) => {
      const given = Number.isSafeInteger(get(name)) ? Number(get(name)) : -1;
      return checked(given >= 0 && given <= most, () => given, 0);
    },
    baseUnits: (name, most) => {
      const text = textOf(get(name), /^(?:0|[1-9]\d{0,77})$/);
      return checked(text !== null && BigInt(text) <= most, () => BigInt(text ?? ''), 0n);
    },
    text: (name, form) => {
      const text = textOf(get(name), form);
      return checked(text !== null, () => text ?? '', '');
    },
    flag: (name) => {
      const value = get(name);
      return checked(typeof value === 'boolean', () => value === true, false);
    },
    choice: (name, texts) => {
      const found = texts.find((text) => text === get(name));
      return checked(found !== undefined, () => found ?? texts[0], texts[0]);
    },
    record: (name) => readerOf(get(name), reading),
    list,
    records: (name, read) => list(name).map((item) => read(readerOf(item, reading))),
    expect: (isRight) => checked(isRight, () => undefined, undefined),
    nullable: (name, read) => (get(name) === null ? null : read(name)),
    optional: (name, read) => (get(name) === undefined ? null : read(name)),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown, form: RegExp): string | null {
  return typeof value === 'string' && form.test(value) ? value : null;
}
