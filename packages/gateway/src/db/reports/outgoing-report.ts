// What waits of the money that is to leave, for metrics.
import type { Reader } from '../postgres/tx.ts';

export interface OutgoingReport {
  readonly work: readonly {
    readonly chain: string;
    readonly state: string;
    readonly count: number;
    readonly oldestMs: number;
    /** Since when something stands in the way of the one that waits longest so; null where nothing does. */
    readonly troubledMs: number | null;
  }[];
  /** For each chain that ever sent. */
  readonly senders: readonly {
    readonly chain: string;
    readonly stopped: number;
    /** Transactions that moved something else than was promised. */
    readonly mismatched: number;
  }[];
}

export async function readOutgoingReport(reader: Reader): Promise<OutgoingReport> {
  const work = await reader.read<OutgoingReport['work'][number]>(
    `SELECT chain, state, count(*)::integer AS count, min(created_at_ms) AS "oldestMs",
       min(trouble_since_ms) AS "troubledMs"
     FROM outgoing_transactions WHERE next_at_ms IS NOT NULL GROUP BY chain, state`,
    [],
  );
  const senders = await reader.read<OutgoingReport['senders'][number]>(
    `SELECT chain, count(*) FILTER (WHERE stopped_reason IS NOT NULL)::integer AS stopped,
       (SELECT count(*)::integer FROM outgoing_transactions o WHERE o.chain = l.chain AND o.state = 'mismatched')
         AS mismatched
     FROM senders l GROUP BY chain`,
    [],
  );
  return { work, senders };
}
