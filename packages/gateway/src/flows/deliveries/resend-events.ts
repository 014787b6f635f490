// Puts dead or delivered events on a new retry schedule, also events of the archive.
import { assert } from '@ducat/core/assert';
import type { Tx } from '../../db/postgres/tx.ts';
import { restoreDead, restoreNamed } from '../../db/tables/deliveries/archive.ts';
import { resendDead, resendNamed } from '../../db/tables/deliveries/resends.ts';

/** The events to resend: by id, or the oldest dead events of an app. Only dead and delivered events can be resent. */
export type ResendChoice =
  | { readonly eventIds: readonly string[] }
  | { readonly appId: string; readonly limit: number };

/** The most events that one call resends. */
export const MAX_RESENT = 1_000;

/**
 * Makes the chosen events due now, with a full retry schedule; returns the ids that were resent. Their old attempts stay
 * recorded, and the numbers of attempts go on. Archived events move back to the outbox.
 */
export async function resendEvents(tx: Tx, choice: ResendChoice, nowMs: number): Promise<readonly string[]> {
  if ('eventIds' in choice) {
    assert(choice.eventIds.length <= MAX_RESENT, `at most ${MAX_RESENT} events are resent at once`);
    await restoreNamed(tx, choice.eventIds);
    return resendNamed(tx, choice.eventIds, nowMs);
  }
  const { appId, limit } = choice;
  assert(limit >= 0 && limit <= MAX_RESENT, `at most ${MAX_RESENT} events are resent at once`);
  const resent = await resendDead(tx, appId, limit, nowMs);
  if (resent.length === limit) return resent;
  await restoreDead(tx, appId, limit - resent.length);
  return [...resent, ...(await resendDead(tx, appId, limit - resent.length, nowMs))];
}
