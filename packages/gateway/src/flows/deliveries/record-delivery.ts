// Records how webhook attempts ended: their events are delivered, due again by the retry schedule, or dead.
import { assert } from '@ducat/core/assert';
import { nextAttemptInMs } from '@ducat/core/webhook/schedule';
import type { Tx } from '../../db/postgres/tx.ts';
import { type AttemptEnd, writeAttemptEnds } from '../../db/tables/deliveries/attempt-ends.ts';

/** An attempt that came to its end. */
export interface EndedDelivery
  extends Pick<AttemptEnd, 'eventId' | 'attempt' | 'startedAtMs' | 'endedAtMs' | 'outcome' | 'httpStatus'> {
  /** Number of the attempt on the present retry schedule, from 1. */
  readonly scheduledAttempt: number;
}

/**
 * What the event came to. `superseded`: the attempt's row is kept, but the event had moved on, so nothing follows
 * from it. `known`: this attempt had been recorded before; nothing was changed.
 */
export type RecordedDelivery = 'delivered' | 'due-again' | 'dead' | 'superseded' | 'known';

/** Another transaction holds the event: nothing was recorded, and it has to be tried again. */
export type NotRecorded = 'locked';

/** PostgreSQL's integer ends here; only a clock that was put right in between makes an attempt this long. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/** The most that are recorded at once. */
export const MAX_RECORDED = 256;

/**
 * Records the ends of attempts in one statement, at most one of each event. Returns what the events came to, in the
 * order given. Recording an end twice is harmless.
 *
 * The attempt's number says whether the claim is still the newest. A failure that comes back after its lease ran out
 * and another claim was made changes nothing. A success counts even then, also for a dead event: the merchant has
 * confirmed, and more attempts would only repeat what it knows. It does not count for an event that was resent since:
 * the request for that wants it sent again.
 *
 * No row is waited for: one event that is held must not keep all the others from being recorded.
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
