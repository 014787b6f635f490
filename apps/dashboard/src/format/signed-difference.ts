// Where two texts that should be hashed alike begin to differ.

export interface SignedDifference {
  /** The place of the first different byte, from zero. */
  readonly place: number;
  /** Some bytes from that place on, in hexadecimal; empty at the end of the text. */
  readonly left: string;
  readonly right: string;
}

const SHOWN_BYTES = 8;

/** Null where `left` begins with all of `right`: the rest of `left` may be the key. */
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
