// One entry of the audit log, and the text that its hash covers.

/** What a person did. Names of people are not in it: they may change, and the log may not. */
export interface AuditEntry {
  readonly sequence: number;
  readonly atMs: number;
  /** Null where the command line did it, or where it is not known who. */
  readonly personId: string | null;
  readonly operation: string;
  readonly merchantId: string | null;
  /** What it was done to. */
  readonly subject: string;
  /** What became of it, in words; "" where the operation says all. */
  readonly detail: string;
  /** The network address that asked; "" for the command line. */
  readonly address: string;
}

/** Every field in a fixed order, so that no two entries have one text. */
export function auditText(entry: AuditEntry): string {
  const { sequence, atMs, personId, operation, merchantId, subject, detail, address } = entry;
  return JSON.stringify([sequence, atMs, personId, operation, merchantId, subject, detail, address]);
}
