// What the checks of the books have found so far, for metrics. Read from their rows, so any process can make them.
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../postgres/tx.ts';
import { fromNumeric } from '../tables/amounts.ts';
import { readAuditMark } from '../tables/books/audit-marks.ts';
import { type CurrencySuspension, readSuspensions } from '../tables/books/currency-suspensions.ts';
import { readReserveChecks, type ReserveCheck } from '../tables/books/reserve-checks.ts';

export interface BooksReport {
  readonly checks: readonly ReserveCheck[];
  readonly differences: readonly SummedDifference[];
  /** Outflows from our addresses without an intent, by chain and currency. */
  readonly outflows: readonly SummedOutflow[];
  readonly suspensions: readonly CurrencySuspension[];
  readonly audit: {
    readonly findings: number;
    /** When the audit was last up to date, Unix milliseconds; 0 before the first. */
    readonly atMs: number;
  };
  /** What each currency number means. */
  readonly currencies: ReadonlyMap<number, NamedCurrency>;
}

export interface SummedDifference {
  readonly chain: string;
  readonly currencyId: number;
  readonly addresses: number;
  /** All differences added up without their signs. */
  readonly total: Amount;
}

export interface SummedOutflow {
  readonly chain: string;
  readonly currencyId: number;
  readonly total: Amount;
}

export interface NamedCurrency {
  readonly chain: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Further findings are not counted. */
const MOST_FINDINGS = 1_000;

/** The report for the chains that are on. */
export async function readBooksReport(reader: Reader, chains: readonly string[]): Promise<BooksReport> {
  const checks = await readReserveChecks(reader);
  const differences = await reader.read<SumRow & { readonly addresses: number }>(
    `SELECT chain, currency_id, count(*) AS addresses, sum(abs(actual - expected))::text AS units
     FROM balance_differences WHERE chain = ANY($1::text[]) GROUP BY chain, currency_id`,
    [chains],
  );
  const outflows = await reader.read<SumRow>(
    `SELECT owner AS chain, currency_id, (-balance)::text AS units FROM accounts
     WHERE kind = 'suspense' AND owner = ANY($1::text[]) AND balance <> 0`,
    [chains],
  );
  const [counted] = await reader.read<{ findings: number }>(
    `SELECT count(*) AS findings FROM (SELECT FROM audit_findings LIMIT ${MOST_FINDINGS}) AS found`,
    [],
  );
  const named = await reader.read<NamedCurrency & { readonly currencyId: number }>(
    'SELECT currency_id AS "currencyId", chain, symbol, decimals FROM currencies',
    [],
  );
  const { atMs } = await readAuditMark(reader, 'entries');
  return {
    checks: checks.filter(({ chain }) => chains.includes(chain)),
    differences: differences.map((row) => ({ ...summed(row), addresses: row.addresses })),
    outflows: outflows.map(summed),
    suspensions: await readSuspensions(reader),
    audit: { findings: counted?.findings ?? 0, atMs },
    currencies: new Map(named.map((one) => [one.currencyId, one])),
  };
}

interface SumRow {
  readonly chain: string;
  readonly currency_id: number;
  readonly units: string;
}

function summed({ chain, currency_id: currencyId, units }: SumRow): SummedOutflow {
  return { chain, currencyId, total: fromNumeric(currencyId, units) };
}
