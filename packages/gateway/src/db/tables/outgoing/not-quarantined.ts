// The condition that leaves out what is in quarantine. A round that took it would break again.

/** What can be in quarantine. */
export type QuarantinedKind = 'payout' | 'outgoing' | 'collection' | 'holding' | 'event';

/** `id` and `nowMs` are expressions of the statement around it. */
export function notQuarantined(kind: QuarantinedKind, id: string, nowMs: string): string {
  return `NOT EXISTS (SELECT FROM quarantines q WHERE q.kind = '${kind}' AND q.id = ${id} AND q.until_ms > ${nowMs})`;
}
