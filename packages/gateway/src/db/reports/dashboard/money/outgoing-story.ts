// Outgoing transactions with all their variants, and the block that includes one of them.
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Amount } from '@ducat/core/money/amount';
import type { OutgoingState } from '@ducat/core/outgoing/outgoing';
import type { OutgoingAction } from '@ducat/core/outgoing/promise';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';

export interface OutgoingStory {
  readonly outgoingId: string;
  readonly chain: string;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  /** If energy is delegated or taken back, the amount is stake. A sweep moves money of deposit addresses. */
  readonly action: OutgoingAction;
  readonly state: OutgoingState;
  /** Canonical, as `to`. Null if it is a wallet of the gateway and the reader is a merchant. */
  readonly from: string | null;
  readonly to: string;
  readonly amount: Amount;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  readonly trouble: string | null;
  readonly variants: readonly VariantStory[];
}

export interface VariantStory {
  /** The intent that the signer is asked for, as JSON. */
  readonly intent: string;
  readonly preparedAtMs: number;
  /** The sequence in the signer's log; null before it is signed. */
  readonly logSequence: number | null;
  readonly txId: string | null;
  readonly signedAtMs: number | null;
  readonly sends: number;
  readonly lastAnswer: string | null;
  readonly block: {
    readonly number: number;
    readonly time: number;
    readonly status: 'succeeded' | 'failed';
    readonly isFinal: boolean;
    readonly fee: Amount;
  } | null;
}

interface Row {
  readonly outgoing_id: string;
  readonly chain: string;
  readonly subject_kind: SubjectKind;
  readonly subject_id: string;
  readonly action: OutgoingStory['action'];
  readonly state: OutgoingState;
  readonly from_address: string | null;
  readonly to_address: string;
  readonly currency_id: number;
  readonly units: string;
  readonly created_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly trouble: string | null;
  readonly ordinal: number | null;
  readonly intent: string;
  readonly prepared_at_ms: number;
  readonly log_sequence: number | null;
  readonly tx_id: string | null;
  readonly signed_at_ms: number | null;
  readonly sends: number;
  readonly last_answer: string | null;
  readonly block_number: number | null;
  readonly block_time: number;
  readonly status: 'succeeded' | 'failed';
  readonly is_final: boolean;
  readonly fee_currency_id: number;
  readonly fee: string;
}

const COLUMNS = `o.outgoing_id, o.chain, o.subject_kind, o.subject_id, o.action, o.state, d.address AS from_address, o.to_address,
  o.currency_id, o.units, o.created_at_ms, o.ended_at_ms, o.trouble, v.ordinal, v.intent, v.prepared_at_ms, v.log_sequence, v.tx_id, v.signed_at_ms, v.sends,
  v.last_answer, i.block_number, i.block_time, i.status, i.final AS is_final, i.currency_id AS fee_currency_id, i.fee`;
const JOINS = `LEFT JOIN senders s USING (sender_id) LEFT JOIN addresses d ON d.address_id = s.address_id
  LEFT JOIN outgoing_variants v USING (outgoing_id) LEFT JOIN inclusions i ON i.chain = v.chain AND i.tx_id = v.tx_id`;

/** The outgoing transactions of these subjects, the oldest first. */
export async function readOutgoingOf(
  reader: Reader,
  kinds: readonly SubjectKind[],
  subjectIds: readonly string[],
): Promise<readonly OutgoingStory[]> {
  if (subjectIds.length === 0) return [];
  const rows = await reader.read<Row>(
    `SELECT ${COLUMNS} FROM outgoing_transactions o ${JOINS}
     WHERE o.subject_kind = ANY ($1::text[]) AND o.subject_id = ANY ($2::text[])
     ORDER BY o.created_at_ms, o.outgoing_id, v.ordinal`,
    [kinds, subjectIds],
  );
  return gather(rows);
}

export interface OpenFilter {
  readonly state?: OutgoingState | undefined;
  readonly chain?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly limit: number;
}

export interface OpenOutgoing extends OutgoingStory {
  /** Null for the gateway's own transactions. */
  readonly owner: {
    readonly merchantId: string;
    readonly merchantName: string;
    readonly appName: string;
  } | null;
}

interface OwnedRow extends Row {
  readonly merchant_id: string | null;
  readonly merchant_name: string;
  readonly app_name: string;
}

/** Outgoing transactions that have not ended, the oldest first, with their owners. */
export async function readOpenOutgoing(
  reader: Reader,
  { state, chain, merchantId, limit }: OpenFilter,
): Promise<readonly OpenOutgoing[]> {
  const rows = await reader.read<OwnedRow>(
    `SELECT ${COLUMNS}, o.merchant_id, o.merchant_name, o.app_name FROM (${OWNED} LIMIT $1) AS o ${JOINS}
     ORDER BY o.created_at_ms, o.outgoing_id, v.ordinal`,
    [limit, state ?? null, chain ?? null, merchantId ?? null],
  );
  const owners = new Map(rows.map((row) => [row.outgoing_id, ownerOf(row)]));
  return gather(rows).map((story) => ({ ...story, owner: owners.get(story.outgoingId) ?? null }));
}

function ownerOf(row: OwnedRow): OpenOutgoing['owner'] {
  const { merchant_id: merchantId, merchant_name: merchantName, app_name: appName } = row;
  return merchantId === null ? null : { merchantId, merchantName, appName };
}

/**
 * SQL: open transactions, which are few, with their app. It is the app of the payout or of the collected address, or
 * else of the wallet that sends. A funding's subject id is the id of its collection with a suffix. All addresses of a
 * sweep belong to one app.
 */
const OWNED = `
  SELECT t.*, m.merchant_id, m.name AS merchant_name, a.name AS app_name FROM outgoing_transactions t
    LEFT JOIN payouts p ON t.subject_kind = 'payout' AND p.trade_no = t.subject_id
    LEFT JOIN collections c ON t.subject_kind IN ('collection', 'funding')
      AND c.collection_id = split_part(t.subject_id, '.', 1)
    LEFT JOIN LATERAL (SELECT address_id FROM collections WHERE sweep_id = t.subject_id LIMIT 1) AS swept
      ON t.subject_kind = 'collection'
    LEFT JOIN addresses collected ON collected.address_id = coalesce(c.address_id, swept.address_id)
    LEFT JOIN senders sending ON sending.sender_id = t.sender_id
    LEFT JOIN addresses wallet ON wallet.address_id = sending.address_id
    LEFT JOIN apps a ON a.app_id = coalesce(p.app_id, collected.app_id, wallet.app_id)
    LEFT JOIN merchants m ON m.merchant_id = a.merchant_id
  WHERE t.next_at_ms IS NOT NULL AND ($2::text IS NULL OR t.state = $2) AND ($3::text IS NULL OR t.chain = $3)
    AND ($4::text IS NULL OR m.merchant_id = $4)
  ORDER BY t.created_at_ms`;

function gather(rows: readonly Row[]): readonly OutgoingStory[] {
  const byId = new Map<string, OutgoingStory & { readonly variants: VariantStory[] }>();
  for (const row of rows) {
    const known = byId.get(row.outgoing_id) ?? { ...toOutgoing(row), variants: [] };
    byId.set(row.outgoing_id, known);
    if (row.ordinal !== null) known.variants.push(toVariant(row));
  }
  return [...byId.values()];
}

function toOutgoing(row: Row): Omit<OutgoingStory, 'variants'> {
  return {
    outgoingId: row.outgoing_id,
    chain: row.chain,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    action: row.action,
    state: row.state,
    from: row.from_address,
    to: row.to_address,
    amount: fromNumeric(row.currency_id, row.units),
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms,
    trouble: row.trouble,
  };
}

function toVariant(row: Row): VariantStory {
  return {
    intent: row.intent,
    preparedAtMs: row.prepared_at_ms,
    logSequence: row.log_sequence,
    txId: row.tx_id,
    signedAtMs: row.signed_at_ms,
    sends: row.sends,
    lastAnswer: row.last_answer,
    block:
      row.block_number === null
        ? null
        : {
            number: row.block_number,
            time: row.block_time,
            status: row.status,
            isFinal: row.is_final,
            fee: fromNumeric(row.fee_currency_id, row.fee),
          },
  };
}
