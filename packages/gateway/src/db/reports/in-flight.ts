// Open outgoing transactions of a chain, one by one, and outflows that nothing explains.
import type { Amount } from '@ducat/core/money/amount';
import { negate } from '@ducat/core/money/amount';
import type { OutgoingState } from '@ducat/core/outgoing/outgoing';
import type { OutgoingAction } from '@ducat/core/outgoing/promise';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Reader } from '../postgres/tx.ts';
import { fromNumeric } from '../tables/amounts.ts';

export interface InFlight {
  readonly kind: SubjectKind;
  readonly subjectId: string;
  /**
   * For `delegate` and `undelegate` the amount is stake, and no money leaves an account. `deploy` moves nothing. For
   * `sweep` the amount leaves deposit addresses, and `from` pays the fee.
   */
  readonly action: OutgoingAction;
  readonly state: OutgoingState;
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
  /** The newest variant that is signed; null before. */
  readonly txId: string | null;
  /** Why the transaction does not go on; null while nothing stands in its way. */
  readonly trouble: string | null;
}

export interface InFlightReport {
  /** The oldest first, at most `limit`. */
  readonly items: readonly InFlight[];
  /** How many are open in all. */
  readonly count: number;
  /** Outflows without an intent, by currency; empty if all is explained. */
  readonly unexplained: readonly Amount[];
  /** What was sent as promised and no payout has taken, without what collections and fundings sent. */
  readonly untaken: readonly Amount[];
  /** All network fees that were booked on the chain, by currency. */
  readonly gas: readonly Amount[];
}

export async function readInFlight(
  reader: Reader,
  chain: string,
  { nativeId, limit }: { readonly nativeId: number; readonly limit: number },
): Promise<InFlightReport> {
  const rows = await reader.read<Row>(
    `SELECT o.subject_kind AS kind, o.subject_id AS "subjectId", o.action, o.state, d.address AS "from", o.to_address AS "to",
       o.currency_id AS id, o.units, o.trouble, (SELECT v.tx_id FROM outgoing_variants v
         WHERE v.outgoing_id = o.outgoing_id AND v.tx_id IS NOT NULL ORDER BY v.ordinal DESC LIMIT 1) AS "txId",
       count(*) OVER () AS count
     FROM outgoing_transactions o JOIN senders USING (sender_id) JOIN addresses d USING (address_id)
     WHERE o.chain = $1 AND o.next_at_ms IS NOT NULL ORDER BY o.created_at_ms, o.outgoing_id LIMIT $2`,
    [chain, limit],
  );
  const left = await reader.read<{ kind: string; id: number; balance: string }>(
    `SELECT kind, currency_id AS id, balance FROM accounts
     WHERE balance <> 0 AND ((kind IN ('suspense', 'sent') AND owner = $1)
       OR (kind = 'network-fee' AND currency_id = $2)) ORDER BY currency_id`,
    [chain, nativeId],
  );
  const of = (kind: string): readonly Amount[] =>
    left.filter((one) => one.kind === kind).map(({ id, balance }) => negate(fromNumeric(id, balance)));
  return {
    items: rows.map(({ id, units, count: _all, ...item }) => ({ ...item, amount: fromNumeric(id, units) })),
    count: rows[0]?.count ?? 0,
    unexplained: of('suspense'),
    untaken: of('sent'),
    gas: of('network-fee'),
  };
}

interface Row extends Omit<InFlight, 'amount'> {
  readonly id: number;
  readonly units: string;
  readonly count: number;
}
