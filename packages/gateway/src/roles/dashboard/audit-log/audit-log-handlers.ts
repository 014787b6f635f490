// The audit log: read, and verified from its beginning.
import type { auditLogOperations } from '@ducat/contract/dashboard/audit-log';
import { listAuditEntries, verifyAuditLog } from '../../../db/tables/access/audit-log.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { answer, type Handlers } from '../call.ts';

type Name = (typeof auditLogOperations)[number]['name'];

const PAGE = 100;

export const auditLogHandlers: Handlers<Name> = {
  'audit-log.list': async ({ reader, merchantId }, { cursor }) =>
    answer(await page(reader, merchantId, cursor)),

  'audit-log.list-all': async ({ reader }, { cursor }) => answer(await page(reader, null, cursor)),

  'audit-log.verify': async ({ deps }) => {
    const { entries, brokenAt, headHash } = await verifyAuditLog(deps.reader);
    return answer({
      is_whole: brokenAt === null,
      entries,
      broken_at: brokenAt,
      head_hash: headHash.toString('hex'),
    });
  },
};

async function page(reader: Reader, merchantId: string | null, before = Number.MAX_SAFE_INTEGER) {
  const found = await listAuditEntries(reader, { merchantId, before, limit: PAGE + 1 });
  const entries = found.slice(0, PAGE);
  return {
    entries: entries.map((entry) => ({
      sequence: entry.sequence,
      at: Math.floor(entry.atMs / 1000),
      person_id: entry.personId,
      person_name: entry.personName,
      operation: entry.operation,
      merchant_id: entry.merchantId,
      subject: entry.subject,
      detail: entry.detail,
      address: entry.address,
      hash: entry.hash.toString('hex'),
    })),
    next_cursor: found.length > PAGE ? (entries.at(-1)?.sequence ?? null) : null,
  };
}
