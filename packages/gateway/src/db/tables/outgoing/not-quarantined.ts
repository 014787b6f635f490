// The condition that leaves out items in quarantine, because a round that took one would break again.

/** What can be in quarantine. */
export type QuarantinedKind = 'payout' | 'outgoing' | 'collection' | 'holding' | 'event';

/** `id` and `nowMs` are SQL expressions. */
export function notQuarantined(kind: QuarantinedKind, id: string, nowMs: string): string {
  return `NOT EXISTS (SELECT FROM quarantines q WHERE q.kind = '${kind}' AND q.id = ${id} AND q.until_ms > ${nowMs})`;
}
