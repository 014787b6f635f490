// Where two texts that should be hashed alike begin to differ.

export interface SignedDifference {
  /** The byte, from zero. */
  readonly place: number;
  /** Some bytes from there on, hexadecimal; empty at the end. */
  readonly left: string;
  readonly right: string;
}

const SHOWN_BYTES = 8;

/** Null where the first begins with all of the second: what follows may be the key. */
export function signedDifference(left: string, right: string): SignedDifference | null {
  const encoder = new TextEncoder();
  const [one, other] = [encoder.encode(left), encoder.encode(right)];
  const place = other.findIndex((byte, at) => one[at] !== byte);
  if (place < 0) return null;
  const shown = (bytes: Uint8Array) =>
    Array.from(bytes.slice(place, place + SHOWN_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(
      ' ',
    );
  return { place, left: shown(one), right: shown(other) };
}
