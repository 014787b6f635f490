// Open transactions of a chain whose bytes may have been sent, each with the block that holds it.
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { OpenTransaction, OutgoingState } from '@ducat/core/outgoing/outgoing';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Reader } from '../postgres/tx.ts';
import { heldNowhere } from '../tables/outgoing/held-nowhere.ts';

export interface OpenWithBytes extends OpenTransaction {
  readonly outgoingId: string;
  readonly senderId: number;
  /** The sending address. */
  readonly from: string;
  readonly kind: SubjectKind;
  readonly subjectId: string;
  readonly state: OutgoingState;
  /** The variant that a block holds, else the newest signed one; null before the first signature. */
  readonly txId: string | null;
  /** The block of the books that holds it; null where none does. */
  readonly inBlock: { readonly number: number; readonly status: Inclusion['status'] } | null;
}

/** By sender and nonce, at most `limit`. */
export async function readOpenTransactions(
  reader: Reader,
  { chain, limit }: { readonly chain: string; readonly limit: number },
): Promise<readonly OpenWithBytes[]> {
  const rows = await reader.read<Row>(
    `SELECT o.outgoing_id AS "outgoingId", o.sender_id AS "senderId", d.address AS "from", o.subject_kind AS kind,
       o.subject_id AS "subjectId", o.state, o.nonce, o.may_be_unread AS "mayBeUnread",
       NOT (${heldNowhere('o.outgoing_id')}) AS "isHeld", v."expiresAtMs", coalesce(i.tx_id, v."txId") AS "txId",
       i.block_number AS number, i.status
     FROM outgoing_transactions o JOIN senders USING (sender_id) JOIN addresses d USING (address_id),
       LATERAL (SELECT (array_agg(tx_id ORDER BY ordinal DESC) FILTER (WHERE tx_id IS NOT NULL))[1] AS "txId",
           CASE WHEN bool_and(expires_at_ms IS NOT NULL) THEN max(expires_at_ms) END AS "expiresAtMs"
         FROM outgoing_variants WHERE outgoing_id = o.outgoing_id) AS v
       LEFT JOIN LATERAL (SELECT tx_id, block_number, status
         FROM outgoing_variants JOIN inclusions USING (chain, tx_id) WHERE outgoing_id = o.outgoing_id
         ORDER BY block_number LIMIT 1) AS i ON true
     WHERE o.chain = $1 AND o.next_at_ms IS NOT NULL AND o.state IN ('prepared', 'signed')
     ORDER BY o.sender_id, o.nonce, o.created_at_ms, o.outgoing_id LIMIT $2`,
    [chain, limit],
  );
  return rows.map(({ number, status, ...one }) => ({
    ...one,
    inBlock: number === null || status === null ? null : { number, status },
  }));
}

interface Row extends Omit<OpenWithBytes, 'inBlock'> {
  readonly number: number | null;
  readonly status: Inclusion['status'] | null;
}
