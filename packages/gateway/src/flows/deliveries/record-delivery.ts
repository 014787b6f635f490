// Records how webhook attempts ended: their events are delivered, due again by the retry schedule, or dead.
import { assert } from '@ducat/core/assert';
import { nextAttemptInMs } from '@ducat/core/webhook/schedule';
import type { Tx } from '../../db/postgres/tx.ts';
import { type AttemptEnd, writeAttemptEnds } from '../../db/tables/deliveries/attempt-ends.ts';

/** An attempt that has ended. */
export interface EndedDelivery
  extends Pick<AttemptEnd, 'eventId' | 'attempt' | 'startedAtMs' | 'endedAtMs' | 'outcome' | 'httpStatus'> {
  /** Number of the attempt on the present retry schedule, from 1. */
  readonly scheduledAttempt: number;
}

/**
 * What became of the event. `superseded`: the attempt's row is kept, but the event had moved on, so its state stays.
 * `known`: the attempt was recorded before, and nothing changed.
 */
export type RecordedDelivery = 'delivered' | 'due-again' | 'dead' | 'superseded' | 'known';

/** Another transaction has the event's row lock: nothing was recorded, and the caller has to retry. */
export type NotRecorded = 'locked';

/** The largest integer of PostgreSQL. An attempt seems this long only where the clock was corrected meanwhile. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/** The most attempt ends that are recorded at once. */
export const MAX_RECORDED = 256;

/**
 * Records the ends of attempts in one statement, at most one for each event. Returns what became of the events, in the
 * order given. Recording an end twice is harmless.
 *
 * The attempt's number says whether the claim is still the newest. A late failure, whose lease expired and whose event
 * was claimed again, changes nothing. A late success counts, also for a dead event: the merchant has confirmed, and more
 * attempts would only repeat what it knows. A late success does not count for an event that was resent meanwhile, because
 * the resend asks for another delivery.
 *
 * The statement waits for no row lock: one locked event must not keep all others from being recorded.
 */
export async function recordDeliveries(
  tx: Tx,
  all: readonly EndedDelivery[],
): Promise<readonly (RecordedDelivery | NotRecorded)[]> {
  assert(all.length <= MAX_RECORDED, `at most ${MAX_RECORDED} ends are recorded at once`);
  assert(new Set(all.map(({ eventId }) => eventId)).size === all.length, 'one end of each event at once');
  const ends = all.map(endOf);
  const written = await writeAttemptEnds(tx, ends);
  return ends.map(({ state }, place) => {
    const done = written[place] ?? 'known';
    if (done !== 'written') return done;
    return state === 'pending' ? 'due-again' : state;
  });
}

function endOf({ scheduledAttempt, ...ended }: EndedDelivery): AttemptEnd {
  const waitMs = nextAttemptInMs(scheduledAttempt);
  const state = ended.outcome === 'delivered' ? 'delivered' : waitMs === null ? 'dead' : 'pending';
  return {
    ...ended,
    durationMs: Math.min(Math.max(0, ended.endedAtMs - ended.startedAtMs), MAX_DURATION_MS),
    state,
    nextAttemptAtMs: state === 'pending' && waitMs !== null ? ended.endedAtMs + waitMs : null,
  };
}
