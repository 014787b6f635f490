// The errors of a call: a refusal of the server, and a server that could not be reached.
import type { DashboardCode } from '@ducat/contract/dashboard/refusal';

/** An answer other than 200: its code, and the field that it is about. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: DashboardCode;
  readonly field: string | null;
  readonly status: number;

  constructor(
    status: number,
    { code, field, message }: { code: DashboardCode; field?: string; message: string },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field ?? null;
  }
}

/** No answer, or none that can be read. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
