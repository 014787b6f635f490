// The readings that the rates of orders were made from: written with the order, read when a rate is worked out again.
import { assert } from '@ducat/core/assert';
import type { Evidence, Verdict } from '@ducat/core/money/reading';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { isObject, isUnits } from './quotes.ts';

interface EvidenceJson extends Omit<Evidence, 'priceUnits'> {
  readonly priceUnits: string;
}

/** A longer list would mean that a rate was made from something other than the known sources. */
const MAX_EVIDENCE = 50;

/** The JSON text of the evidence with its big numbers as text; null where there is none to keep. */
export function evidenceText(evidence: readonly Evidence[]): string | null {
  assert(evidence.length <= MAX_EVIDENCE, 'a quote rests on more readings than there are sources');
  if (evidence.length === 0) return null;
  return JSON.stringify(evidence.map((item) => ({ ...item, priceUnits: item.priceUnits.toString() })));
}

/**
 * The evidence of an order, also from the archive. Empty if its rate came without any, null if the JSON was damaged by
 * hand.
 */
export async function readQuoteEvidence(
  reader: Reader,
  tradeNo: string,
): Promise<readonly Evidence[] | null> {
  const [row] = await reader.read<{ evidence: unknown }>(
    `SELECT evidence FROM quote_evidence WHERE trade_no = $1
     UNION ALL SELECT evidence FROM archived_quote_evidence WHERE trade_no = $1`,
    [tradeNo],
  );
  return row === undefined ? [] : evidenceFrom(row.evidence);
}

/** Moves the evidence of the oldest orders below a trade_no to the archive, at most `limit`; returns how many. */
export async function archiveQuoteEvidence(tx: Tx, below: string, limit: number): Promise<number> {
  const rows = await tx.write<{ moved: number }>(
    `WITH chosen AS MATERIALIZED (
       SELECT trade_no FROM quote_evidence WHERE trade_no < $1
       ORDER BY trade_no LIMIT $2::integer FOR UPDATE SKIP LOCKED
     ), moved AS (
       DELETE FROM quote_evidence WHERE trade_no = ANY (ARRAY(SELECT trade_no FROM chosen)) RETURNING *
     ), kept AS (
       INSERT INTO archived_quote_evidence (trade_no, evidence) SELECT trade_no, evidence FROM moved
     )
     SELECT count(*) AS moved FROM moved`,
    [below, limit],
  );
  return rows[0]?.moved ?? 0;
}

/** Evidence out of its row; null where it was damaged. */
export function evidenceFrom(json: unknown): readonly Evidence[] | null {
  if (!Array.isArray(json) || !json.every(isEvidenceJson)) return null;
  return json.map((item) => ({ ...item, priceUnits: BigInt(item.priceUnits) }));
}

const VERDICTS: ReadonlySet<unknown> = new Set<Verdict>(['used', 'far', 'old', 'ahead']);

function isEvidenceJson(json: unknown): json is EvidenceJson {
  if (!isObject(json)) return false;
  const { source, base, quote, priceUnits, at, verdict } = json;
  const names = [source, base, quote].every((name) => typeof name === 'string');
  return names && isUnits(priceUnits) && Number.isSafeInteger(at) && VERDICTS.has(verdict);
}
