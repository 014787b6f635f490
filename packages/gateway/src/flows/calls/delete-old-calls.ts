// Deletes calls of the API whose retention time is over.
import type { Tx } from '../../db/postgres/tx.ts';
import { deleteApiCalls } from '../../db/tables/api-calls.ts';

export interface DeleteOldCalls {
  /** Calls with an id below this one are old: ids are time-ordered. */
  readonly below: string;
  /** The most calls that are deleted at once. */
  readonly limit: number;
}

/** Returns how many calls were deleted, in one statement. */
export function deleteOldCalls(tx: Tx, { below, limit }: DeleteOldCalls): Promise<number> {
  return deleteApiCalls(tx, below, limit);
}
