// How good each provider was, by day, and what it is like now.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface ProviderDay {
  readonly day: number;
  readonly chain: string;
  readonly provider: string;
  readonly calls: number;
  readonly failures: number;
  /** Duration of all calls together. */
  readonly totalMs: number;
  /** How often the others reported something else. */
  readonly disagreements: number;
  readonly circuit: 'closed' | 'open' | 'half-open';
  readonly reason: string | null;
  readonly head: number | null;
  readonly atMs: number;
}

/** Adds the counts to those of the day, and overwrites the rest. */
export async function addProviderCounts(tx: Tx, row: ProviderDay): Promise<void> {
  await tx.write(
    `INSERT INTO provider_days AS d
       (day, chain, provider, calls, failures, total_ms, disagreements, circuit, reason, head, at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (day, chain, provider) DO UPDATE SET calls = d.calls + excluded.calls,
       failures = d.failures + excluded.failures, total_ms = d.total_ms + excluded.total_ms,
       disagreements = d.disagreements + excluded.disagreements, circuit = excluded.circuit,
       reason = excluded.reason, head = excluded.head, at_ms = excluded.at_ms`,
    [
      row.day,
      row.chain,
      row.provider,
      row.calls,
      row.failures,
      row.totalMs,
      row.disagreements,
      row.circuit,
      row.reason,
      row.head,
      row.atMs,
    ],
  );
}

export async function deleteProviderDays(tx: Tx, chain: string, before: number): Promise<void> {
  await tx.write('DELETE FROM provider_days WHERE chain = $1 AND day < $2', [chain, before]);
}

/** From that day on, by chain and provider, the newest day first. */
export async function readProviderDays(reader: Reader, from: number): Promise<readonly ProviderDay[]> {
  return reader.read<ProviderDay>(
    `SELECT day, chain, provider, calls, failures, total_ms AS "totalMs", disagreements, circuit, reason, head,
       at_ms AS "atMs"
     FROM provider_days WHERE day >= $1 ORDER BY chain, provider, day DESC`,
    [from],
  );
}
