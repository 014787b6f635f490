// The media type of a raster picture by its first bytes. SVG is none: it can hold scripts.

const SIGNATURES: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/webp', /^52494646.{8}57454250/],
];
/** Length of the longest signature. */
const SIGNATURE_BYTES = 12;

/** Null for everything else. */
export function pictureType(bytes: Uint8Array): string | null {
  const start = Array.from(bytes.subarray(0, SIGNATURE_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0] ?? null;
}
