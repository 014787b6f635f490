// Whether a wallet's sweeper is requested, where one sweep would save more than making the sweeper costs.

/** The newest transaction that was to make the sweeper. */
export interface SweeperRequest {
  /** Null while it is on its way. */
  readonly endedAtMs: number | null;
}

/** `not-now`: the addresses are emptied one by one. */
export type NextSweeperRequest = 'ask' | 'wait' | 'not-now';

/** A request for a sweep or a sweeper that has been in trouble for so long is cancelled: holdings wait for it meanwhile. */
export const SWEEP_TROUBLE_MS = 10 * 60 * 1_000;
/** The pause after a failed request for a sweep or a sweeper, and while a quorum does not see the sweeper yet. */
export const SWEEP_AGAIN_MS = 24 * 60 * 60 * 1_000;

export function nextSweeperRequest(last: SweeperRequest | null, nowMs: number): NextSweeperRequest {
  if (last === null) return 'ask';
  if (last.endedAtMs === null) return 'wait';
  // mark: a-sweeper-is-asked-for-once-a-day
  return last.endedAtMs > nowMs - SWEEP_AGAIN_MS ? 'not-now' : 'ask';
}
