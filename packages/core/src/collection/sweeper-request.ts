// Whether a wallet's sweeper is asked for, where a sweep would earn what making it costs.

/** The newest transaction that was to make it. */
export interface SweeperRequest {
  /** Null while it is on its way. */
  readonly endedAtMs: number | null;
}

/** `not-now`: the addresses are emptied one by one. */
export type NextSweeperRequest = 'ask' | 'wait' | 'not-now';

/** A sweep or its sweeper that waits in trouble for so long is taken back: money waits for it meanwhile. */
export const SWEEP_TROUBLE_MS = 10 * 60 * 1_000;
/** Where a sweep or its sweeper came to nothing, or a quorum does not see the sweeper yet. */
export const SWEEP_AGAIN_MS = 24 * 60 * 60 * 1_000;

export function nextSweeperRequest(last: SweeperRequest | null, nowMs: number): NextSweeperRequest {
  if (last === null) return 'ask';
  if (last.endedAtMs === null) return 'wait';
  // mark: a-sweeper-is-asked-for-once-a-day
  return last.endedAtMs > nowMs - SWEEP_AGAIN_MS ? 'not-now' : 'ask';
}
