// Who may still see a merchant's pages: live sessions of members and operators.
import type { Reader } from '../../postgres/tx.ts';

export interface Onlooker {
  readonly sessionId: string;
  readonly merchantId: string;
}

export interface StandingOnlooker extends Onlooker {
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
}

/** The ones of these that may still look. The caller checks the times. */
export async function readOnlookers(
  reader: Reader,
  onlookers: readonly Onlooker[],
): Promise<readonly StandingOnlooker[]> {
  return reader.read<StandingOnlooker>(
    `SELECT w.session_id AS "sessionId", w.merchant_id AS "merchantId", s.seen_at_ms AS "seenAtMs",
       s.expires_at_ms AS "expiresAtMs"
     FROM unnest($1::text[], $2::text[]) AS w (session_id, merchant_id) JOIN dashboard_sessions s USING (session_id)
       JOIN people p USING (person_id)
       LEFT JOIN memberships m ON m.merchant_id = w.merchant_id AND m.person_id = s.person_id
     WHERE s.stage = 'signed-in' AND (p.is_operator OR m.role IS NOT NULL)`,
    [onlookers.map(({ sessionId }) => sessionId), onlookers.map(({ merchantId }) => merchantId)],
  );
}
