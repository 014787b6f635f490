// Which person asked for a payout on the dashboard, so that the same person does not approve it.
import type { Reader, Tx } from '../../postgres/tx.ts';

export async function insertAsker(tx: Tx, tradeNo: string, personId: string): Promise<void> {
  await tx.write('INSERT INTO payout_askers (trade_no, person_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    tradeNo,
    personId,
  ]);
}

/** Null where the API asked for it. */
export async function readAsker(reader: Reader, tradeNo: string): Promise<string | null> {
  const [row] = await reader.read<{ person_id: string }>(
    'SELECT person_id FROM payout_askers WHERE trade_no = $1',
    [tradeNo],
  );
  return row?.person_id ?? null;
}
