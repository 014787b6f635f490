// Describes protobuf messages as data: field numbers and kinds, which codec and JSON printer both use.

/** How a bytes field is shown: an address and a text change their form with `visible`, plain bytes never do. */
export type FieldKind = 'int64' | 'bool' | 'string' | 'bytes' | 'address' | 'text' | 'enum' | 'message';

/** One field. `T` is the value in memory: bytes are lower-case hex, integers are bigint, enums their names. */
export interface Field<T = unknown> {
  readonly no: number;
  readonly kind: FieldKind;
  readonly repeated: boolean;
  /** Number and name of every value of an enum. */
  readonly names?: ReadonlyMap<number, string>;
  readonly message?: Schema;
  /** Written even with its default value, as both fields of a map's entry are. */
  readonly always?: boolean;
  /** Never read. It only carries the type of the value. */
  readonly valueType?: T;
}

export type Schema = Readonly<Record<string, Field>>;

/** The value of a message in memory. Every field is present; one that is absent on the wire has its default. */
export type MessageOf<S extends Schema> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
};

export const int64 = (no: number): Field<bigint> => ({ no, kind: 'int64', repeated: false });
export const bool = (no: number): Field<boolean> => ({ no, kind: 'bool', repeated: false });
export const string = (no: number): Field<string> => ({ no, kind: 'string', repeated: false });
export const bytes = (no: number): Field<string> => ({ no, kind: 'bytes', repeated: false });
export const address = (no: number): Field<string> => ({ no, kind: 'address', repeated: false });
export const text = (no: number): Field<string> => ({ no, kind: 'text', repeated: false });

/** An enum whose values are numbered from 0 in order, or with gaps when given as pairs. */
export function enumOf<const N extends string>(
  no: number,
  names: readonly N[] | readonly (readonly [number, N])[],
): Field<N> {
  const pairs = names.map((entry, index): [number, string] =>
    typeof entry === 'string' ? [index, entry] : [entry[0], entry[1]],
  );
  return { no, kind: 'enum', repeated: false, names: new Map(pairs) };
}

/** A message inside a message; undefined where it is absent. */
export function nested<S extends Schema>(no: number, message: S): Field<MessageOf<S> | undefined> {
  return { no, kind: 'message', repeated: false, message };
}

/** A map from string to int64. On the wire it is a message per entry, in java-tron's JSON an array of {key, value}. */
export const stringToInt64 = (no: number): Field<readonly MapEntry[]> => ({
  no,
  kind: 'message',
  repeated: true,
  message: { key: { ...string(1), always: true }, value: { ...int64(2), always: true } },
});

export interface MapEntry {
  readonly key: string;
  readonly value: bigint;
}

/** The same field, any number of times. */
export function repeated<T>(field: Field<T>): Field<readonly Exclude<T, undefined>[]> {
  return field.message === undefined
    ? { no: field.no, kind: field.kind, repeated: true, ...(field.names && { names: field.names }) }
    : { no: field.no, kind: field.kind, repeated: true, message: field.message };
}

/** The value a field has when it is not on the wire. */
export function defaultOf(field: Field): unknown {
  if (field.repeated) return [];
  switch (field.kind) {
    case 'int64':
      return 0n;
    case 'bool':
      return false;
    case 'enum':
      return field.names?.get(0) ?? '';
    case 'message':
      return undefined;
    case 'string':
    case 'bytes':
    case 'address':
    case 'text':
      return '';
  }
}

/** A message with the given fields and defaults elsewhere. */
export function make<S extends Schema>(schema: S, values: Partial<MessageOf<S>>): MessageOf<S> {
  const entries = Object.entries(schema).map(([name, field]) => [
    name,
    Object.hasOwn(values, name) ? values[name] : defaultOf(field),
  ]);
  // The loop above gave every field of the schema a value of the field's own type.
  return Object.fromEntries(entries) as MessageOf<S>;
}
