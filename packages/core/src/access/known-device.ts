// When a sign-in counts as one from a new device.

/** A browser that was away for longer may have changed hands. */
const KNOWN_FOR_MS = 90 * 24 * 60 * 60 * 1000;
/** Of one person; the oldest are forgotten first. */
export const MOST_DEVICES = 50;

/** `seenAtMs` is null for a browser that was never seen with this person. */
export function isNewDevice(seenAtMs: number | null, nowMs: number): boolean {
  return seenAtMs === null || nowMs - seenAtMs > KNOWN_FOR_MS;
}
