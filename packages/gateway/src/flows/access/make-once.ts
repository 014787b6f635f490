// Makes the request of a dashboard click idempotent: the click makes its thing once, however often the request is sent.
import { outOfSight, type Tx } from '../../db/postgres/tx.ts';
import {
  type DashboardRequest,
  deleteOldRequests,
  deleteRequest,
  insertRequest,
  readRequest,
} from '../../db/tables/access/dashboard-requests.ts';

/** Far longer than needed: a session ends within twelve hours, and its page gives each click a new name. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;

export type MadeOnce<Made> =
  | { readonly outcome: 'made'; readonly made: Made }
  /** The same click was handled before, and made `subject`. */
  | { readonly outcome: 'repeated'; readonly subject: string }
  /** A click with this name asked for something else before. */
  | { readonly outcome: 'other' };

/** Where `make` refuses, the name stays free, so that the same page can ask again. */
export async function makeOnce<Made extends { readonly ok: boolean }>(
  tx: Tx,
  request: DashboardRequest,
  nowMs: number,
  make: () => Promise<Made>,
): Promise<MadeOnce<Made>> {
  await deleteOldRequests(tx, request.personId, nowMs - REMEMBERED_MS);
  // mark: a-click-makes-one-thing
  if (await insertRequest(tx, request, nowMs)) {
    const made = await make();
    if (!made.ok) await deleteRequest(tx, request);
    return { outcome: 'made', made };
  }
  const standing = await readRequest(tx, request);
  if (standing === null) throw outOfSight(`the click ${request.requestId}, whose name is taken,`);
  const isSame = standing.operation === request.operation && standing.content === request.content;
  return isSame ? { outcome: 'repeated', subject: standing.subject } : { outcome: 'other' };
}
