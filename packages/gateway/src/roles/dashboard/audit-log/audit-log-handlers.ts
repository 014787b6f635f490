// The audit log: read, and verified from its beginning.
import type { auditLogOperations } from '@ducat/contract/dashboard/audit-log';
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { listAuditEntries, verifyAuditLog } from '../../../db/tables/access/audit-log.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { answer, type Handlers } from '../call.ts';

type Name = (typeof auditLogOperations)[number]['name'];

const PAGE = 100;

export const auditLogHandlers: Handlers<Name> = {
  'audit-log.list': async ({ reader, merchantId }, which) => answer(await page(reader, merchantId, which)),

  'audit-log.list-all': async ({ reader }, which) => answer(await page(reader, null, which)),

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

async function page(
  reader: Reader,
  merchantId: string | null,
  { person_id: personId, operation, cursor }: RequestOf<'audit-log.list-all'>,
) {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const which = { merchantId, personId, operation, before, limit: PAGE + 1 };
  const found = await listAuditEntries(reader, which);
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
    next_cursor: found.length > PAGE ? String(entries.at(-1)?.sequence) : null,
  };
}
