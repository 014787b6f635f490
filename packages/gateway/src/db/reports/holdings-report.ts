// What deposit addresses hold and why, for metrics.
import type { Reader } from '../postgres/tx.ts';

export interface HoldingsReport {
  readonly holdings: readonly { readonly chain: string; readonly state: string; readonly count: number }[];
  readonly open: readonly { readonly chain: string; readonly state: string; readonly oldestMs: number }[];
}

export async function readHoldingsReport(reader: Reader): Promise<HoldingsReport> {
  const holdings = await reader.read<HoldingsReport['holdings'][number]>(
    'SELECT chain, state, count(*)::integer AS count FROM holdings GROUP BY chain, state',
    [],
  );
  const open = await reader.read<HoldingsReport['open'][number]>(
    `SELECT chain, state, min(started_at_ms) AS "oldestMs" FROM collections WHERE ended_at_ms IS NULL
     GROUP BY chain, state`,
    [],
  );
  return { holdings, open };
}
