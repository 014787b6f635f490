// Results of comparing balances, by day and currency.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface ReserveDay {
  readonly day: number;
  readonly chain: string;
  readonly currencyId: number;
  readonly comparisons: number;
  readonly addresses: number;
  /** Rounds over all addresses that ended. */
  readonly rounds: number;
  /** The most addresses that differed at once. */
  readonly mostDiffering: number;
  readonly failures: number;
  readonly trouble: string | null;
}

export type DayKey = Pick<ReserveDay, 'day' | 'chain' | 'currencyId'>;

/** Adds a comparison of `addresses` addresses. Differences that stand now count for the day. */
export async function addComparison(
  tx: Tx,
  { day, chain, currencyId }: DayKey,
  { addresses, endedRound }: { readonly addresses: number; readonly endedRound: boolean },
): Promise<void> {
  await tx.write(
    `INSERT INTO reserve_days AS d (day, chain, currency_id, comparisons, addresses, rounds, most_differing, failures)
     SELECT $1, $2, $3, 1, $4, $5, count(*), 0 FROM balance_differences
     WHERE chain = $2 AND currency_id = $3 AND raised
     ON CONFLICT (day, chain, currency_id) DO UPDATE SET comparisons = d.comparisons + 1,
       addresses = d.addresses + excluded.addresses, rounds = d.rounds + excluded.rounds,
       most_differing = greatest(d.most_differing, excluded.most_differing)`,
    [day, chain, currencyId, addresses, endedRound ? 1 : 0],
  );
}

/** Adds an attempt that failed. */
export async function addFailure(tx: Tx, { day, chain, currencyId }: DayKey, trouble: string): Promise<void> {
  await tx.write(
    `INSERT INTO reserve_days AS d
       (day, chain, currency_id, comparisons, addresses, rounds, most_differing, failures, trouble)
     VALUES ($1, $2, $3, 0, 0, 0, 0, 1, $4)
     ON CONFLICT (day, chain, currency_id) DO UPDATE SET failures = d.failures + 1, trouble = excluded.trouble`,
    [day, chain, currencyId, trouble],
  );
}

/** The days from `from` on, the newest first. */
export async function readReserveDays(reader: Reader, from: number): Promise<readonly ReserveDay[]> {
  return reader.read<ReserveDay>(
    `SELECT day, chain, currency_id AS "currencyId", comparisons, addresses, rounds,
       most_differing AS "mostDiffering", failures, trouble
     FROM reserve_days WHERE day >= $1 ORDER BY day DESC, chain, currency_id`,
    [from],
  );
}
