// Writes the waiting calls of the API to the log of calls, in one statement.
import type { Tx } from '../../db/postgres/tx.ts';
import { type ApiCall, insertApiCalls } from '../../db/tables/api-calls.ts';

/** Calls that name no app of ours are left out. Recording a call twice is harmless. */
export function recordCalls(tx: Tx, calls: readonly ApiCall[]): Promise<void> {
  return insertApiCalls(tx, calls);
}
