// Which person asked for a payout on the dashboard, so that the same person does not approve it.
import type { Reader, Tx } from '../../postgres/tx.ts';

export async function insertAsker(tx: Tx, tradeNo: string, personId: string): Promise<void> {
  await tx.write('INSERT INTO payout_askers (trade_no, person_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    tradeNo,
    personId,
  ]);
}

/** The person who asked for a payout; null if it was asked for by the API. */
export async function readAsker(reader: Reader, tradeNo: string): Promise<string | null> {
  const [row] = await reader.read<{ person_id: string }>(
    'SELECT person_id FROM payout_askers WHERE trade_no = $1',
    [tradeNo],
  );
  return row?.person_id ?? null;
}

/** The longest that an old key works beside the one that replaced it. */
const LONGEST_GRACE_MS = 30 * 86_400_000;

/** Whether this person was shown a key of the payout's app that worked when the payout was asked for. */
export async function sawKeyOf(reader: Reader, tradeNo: string, personId: string): Promise<boolean> {
  const rows = await reader.read(
    `SELECT FROM payouts p JOIN apps a USING (app_id)
       JOIN audit_log shown ON shown.merchant_id = a.merchant_id AND shown.subject = p.app_id
         AND shown.operation IN ('apps.create', 'apps.rotate-key') AND shown.person_id = $2
         AND shown.at_ms < (p.create_time + 1) * 1000
     WHERE p.trade_no = $1 AND NOT EXISTS (SELECT FROM audit_log later
       WHERE later.merchant_id = a.merchant_id AND later.subject = p.app_id AND later.operation = 'apps.rotate-key'
         AND later.sequence > shown.sequence AND later.at_ms < p.create_time * 1000 - ${LONGEST_GRACE_MS})
     LIMIT 1`,
    [tradeNo, personId],
  );
  return rows.length > 0;
}
