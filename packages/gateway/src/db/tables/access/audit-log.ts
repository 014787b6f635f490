// The audit log: entries that nothing changes, each bound to the one before by its hash.
import { createHash } from 'node:crypto';
import { assert } from '@ducat/core/assert';
import { type AuditEntry, auditText } from '@ducat/core/access/audit-entry';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { oneOf } from '../one-of.ts';

export interface HashedEntry extends AuditEntry {
  readonly hash: Buffer;
}

/** Adds the entry. Call it last in a transaction, because the head of the chain stays locked until the transaction ends. */
export async function appendAuditEntry(tx: Tx, entry: Omit<AuditEntry, 'sequence'>): Promise<HashedEntry> {
  const [head] = await tx.read<{ sequence: number; hash: Buffer }>(
    'SELECT sequence, hash FROM audit_log_head FOR UPDATE',
    [],
  );
  assert(head !== undefined, 'the audit log has a head');
  const numbered = { ...entry, sequence: head.sequence + 1 };
  const hash = hashOf(head.hash, numbered);
  const { sequence, atMs, personId, operation, merchantId, subject, detail, address } = numbered;
  await tx.write(
    `INSERT INTO audit_log (sequence, at_ms, person_id, operation, merchant_id, subject, detail, address, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [sequence, atMs, personId, operation, merchantId, subject, detail, address, hash],
  );
  await tx.write('UPDATE audit_log_head SET sequence = $1, hash = $2', [sequence, hash]);
  return { ...numbered, hash };
}

function hashOf(before: Buffer, entry: AuditEntry): Buffer {
  return createHash('sha256').update(before).update(auditText(entry)).digest();
}

interface Row {
  readonly sequence: number;
  readonly at_ms: number;
  readonly person_id: string | null;
  readonly operation: string;
  readonly merchant_id: string | null;
  readonly subject: string;
  readonly detail: string;
  readonly address: string;
  readonly hash: Buffer;
}

function toEntry(row: Row): HashedEntry {
  return {
    sequence: row.sequence,
    atMs: row.at_ms,
    personId: row.person_id,
    operation: row.operation,
    merchantId: row.merchant_id,
    subject: row.subject,
    detail: row.detail,
    address: row.address,
    hash: row.hash,
  };
}

export interface WhichEntries {
  /** Null for the entries of all merchants and those without a merchant. */
  readonly merchantId: string | null;
  /** Only entries of this person; of all people if left out. */
  readonly personId?: string | undefined;
  /** Only operations that begin with this text. */
  readonly operation?: string | undefined;
  /** Only entries with a lower sequence. */
  readonly before: number;
  readonly limit: number;
}

/** Newest first, with people's names. */
export async function listAuditEntries(
  reader: Reader,
  { merchantId, personId, operation = '', before, limit }: WhichEntries,
): Promise<readonly (HashedEntry & { readonly personName: string | null })[]> {
  const list = `SELECT a.*, p.name FROM audit_log a LEFT JOIN people p USING (person_id)
     WHERE a.sequence < $1 AND ($3::text IS NULL OR a.person_id = $3) AND starts_with(a.operation, $4)`;
  const rows = await reader.read<Row & { name: string | null }>(
    merchantId === null
      ? `${list} ORDER BY a.sequence DESC LIMIT $2`
      : `${list} AND ${oneOf('a.merchant_id', '$5')} ORDER BY a.merchant_id DESC, a.sequence DESC LIMIT $2`,
    [before, limit, personId ?? null, operation, ...(merchantId === null ? [] : [merchantId])],
  );
  return rows.map((row) => ({ ...toEntry(row), personName: row.name }));
}

export interface AuditLogCheck {
  readonly entries: number;
  /** The first sequence at which the log is not as it was written; null where all of it is. */
  readonly brokenAt: number | null;
  readonly headHash: Buffer;
}

const AT_ONCE = 1_000;

/** Reads the log from its beginning and compares every hash, and the end with the head. */
export async function verifyAuditLog(reader: Reader): Promise<AuditLogCheck> {
  const [head] = await reader.read<{ sequence: number; hash: Buffer }>(
    'SELECT sequence, hash FROM audit_log_head',
    [],
  );
  assert(head !== undefined, 'the audit log has a head');
  let hash: Buffer = Buffer.alloc(32);
  for (let last = 0; last < head.sequence; ) {
    const rows = await reader.read<Row>(
      'SELECT * FROM audit_log WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT $3',
      [last, head.sequence, AT_ONCE],
    );
    if (rows.length === 0) return { entries: last, brokenAt: last + 1, headHash: head.hash };
    for (const row of rows) {
      const fits = row.sequence === last + 1 && hashOf(hash, toEntry(row)).equals(row.hash);
      if (!fits) return { entries: last, brokenAt: last + 1, headHash: head.hash };
      hash = row.hash;
      last = row.sequence;
    }
  }
  const isWhole = hash.equals(head.hash);
  return { entries: head.sequence, brokenAt: isWhole ? null : head.sequence, headHash: head.hash };
}
