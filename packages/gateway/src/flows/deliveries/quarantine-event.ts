// Puts an event into quarantine whose webhook caused a failure, so that the other events go on.
import type { Queue } from '@ducat/core/webhook/fair-share';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockBroken, putOff } from '../../db/tables/deliveries/broken-events.ts';
import { insertQuarantine, QUARANTINE_MS } from '../../db/tables/outgoing/quarantines.ts';

/** The event; or the queue whose first due event broke, where only the queue is known. */
export type BrokenEvent = { readonly eventId: string } | { readonly first: Queue };

export interface QuarantineEvent {
  readonly broken: BrokenEvent;
  readonly reason: string;
  readonly nowMs: number;
}

/** The event's id. Null, with nothing written, where it need not be sent any more or another transaction has locked it. */
export async function quarantineEvent(
  tx: Tx,
  { broken, reason, nowMs }: QuarantineEvent,
): Promise<string | null> {
  const eventId = await lockBroken(tx, broken, nowMs);
  if (eventId === null) return null;
  const untilMs = nowMs + QUARANTINE_MS;
  await insertQuarantine(tx, { kind: 'event', id: eventId }, { reason, nowMs, untilMs });
  await putOff(tx, eventId, untilMs);
  return eventId;
}
