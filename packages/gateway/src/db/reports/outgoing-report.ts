// Open outgoing transactions, for metrics.
import type { Reader } from '../postgres/tx.ts';

export interface OutgoingReport {
  readonly work: readonly {
    readonly chain: string;
    readonly state: string;
    readonly count: number;
    /** Since when the oldest exists; of those that are signed, since when the first bytes of one are. */
    readonly oldestMs: number;
    /** Since when the longest-lasting trouble exists; null without any. */
    readonly troubledMs: number | null;
  }[];
  /** One row for each chain that ever sent. */
  readonly senders: readonly {
    readonly chain: string;
    readonly stopped: number;
    /** Transactions that moved something else than was promised. */
    readonly mismatched: number;
  }[];
  /** Items that broke when they were worked on. */
  readonly quarantined: readonly { readonly kind: string; readonly count: number }[];
}

/** An item that is tried again and breaks again within this time counts as quarantined throughout. */
const TRIED_WITHIN_MS = 120_000;

export async function readOutgoingReport(reader: Reader, nowMs: number): Promise<OutgoingReport> {
  const work = await reader.read<OutgoingReport['work'][number]>(
    // A transaction may wait for long before it is signed, and that is no time in which a block could have held it.
    `SELECT chain, state, count(*)::integer AS count, min(trouble_since_ms) AS "troubledMs",
       min(CASE WHEN state = 'signed' THEN (
         SELECT min(signed_at_ms) FROM outgoing_variants v WHERE v.outgoing_id = o.outgoing_id
       ) ELSE created_at_ms END) AS "oldestMs"
     FROM outgoing_transactions o WHERE next_at_ms IS NOT NULL GROUP BY chain, state`,
    [],
  );
  const senders = await reader.read<OutgoingReport['senders'][number]>(
    `SELECT chain, count(*) FILTER (WHERE stopped_reason IS NOT NULL)::integer AS stopped,
       (SELECT count(*)::integer FROM outgoing_transactions o WHERE o.chain = l.chain AND o.state = 'mismatched')
         AS mismatched
     FROM senders l GROUP BY chain`,
    [],
  );
  const quarantined = await reader.read<OutgoingReport['quarantined'][number]>(
    'SELECT kind, count(*)::integer AS count FROM quarantines WHERE until_ms > $1 GROUP BY kind',
    [nowMs - TRIED_WITHIN_MS],
  );
  return { work, senders, quarantined };
}
