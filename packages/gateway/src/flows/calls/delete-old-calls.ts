// Deletes calls of the API that are older than they are kept.
import type { Tx } from '../../db/postgres/tx.ts';
import { deleteApiCalls } from '../../db/tables/api-calls.ts';

export interface DeleteOldCalls {
  /** What has an id below this one is old: ids are time-ordered. */
  readonly below: string;
  /** The most that is deleted at once. */
  readonly limit: number;
}

/** Returns how many calls were deleted, in one statement. */
export function deleteOldCalls(tx: Tx, { below, limit }: DeleteOldCalls): Promise<number> {
  return deleteApiCalls(tx, below, limit);
}
