// Reads a value from outside as an object with exactly the named fields.

/**
 * Gives the fields of `value` when it is a plain object that has all of `names` and nothing else,
 * otherwise undefined. Nothing is coerced; the values stay unknown.
 */
export function exactObject<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Record<Name, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length !== names.length) return undefined;
  return hasAll(value, names) ? value : undefined;
}

function hasAll<Name extends string>(value: object, names: readonly Name[]): value is Record<Name, unknown> {
  return names.every((name) => Object.hasOwn(value, name));
}
