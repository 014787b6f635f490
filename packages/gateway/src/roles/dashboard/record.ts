// Writes an entry into the audit log, and the entry's hash into the log of the process, which leaves the machine.
import type { Tx } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import type { Recorded, Session } from './call.ts';
import type { DashboardDeps } from './port.ts';

export interface Recording {
  readonly operation: string;
  readonly session: Session | null;
  readonly merchantId: string | null;
  readonly nowMs: number;
  readonly address: string;
}

export type Recorder = (tx: Tx, what: Recorded) => Promise<void>;

/** The log line is written before the commit, so a line without an entry stands for a change that was rolled back. */
export function createRecorder({ logger }: DashboardDeps, recording: Recording): Recorder {
  const { operation, session, merchantId, nowMs, address } = recording;
  return async (tx, { subject, detail = '', merchantId: found, personId }) => {
    const { sequence, hash } = await appendAuditEntry(tx, {
      atMs: nowMs,
      personId: personId ?? session?.person.personId ?? null,
      operation,
      merchantId: found ?? merchantId,
      subject,
      detail,
      address,
    });
    logger.info({ sequence, hash: hash.toString('hex'), operation }, 'audit log');
  };
}
