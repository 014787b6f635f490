// The one way to say that something cannot be: a broken assertion is a bug and stops the role that met it.

/** A broken invariant of Ducat itself. Never caught to go on; the role that meets it stops. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** Throws a Bug unless the condition holds. Kept on in production. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}
