// The first steps of most handlers of a merchant: which of its apps are meant, and where a page begins.
import { type MerchantApp, readMerchantApps } from '../../db/reports/dashboard/merchant-apps.ts';
import { isMerchantSuspended } from '../../db/tables/apps.ts';
import { firstIdAt, type IdPrefix } from '../../runtime/ids.ts';
import { type Call, type DashboardRefusal, refusal } from './call.ts';

/** Any call of scope merchant. */
export type MerchantCall = Call<'team.list'>;

/** The apps of the merchant, or the one that is named; null where that one is not the merchant's. */
export async function appsOf(
  { reader, merchantId }: Pick<MerchantCall, 'reader' | 'merchantId'>,
  appId?: string,
): Promise<readonly MerchantApp[] | null> {
  const apps = await readMerchantApps(reader, merchantId);
  if (appId === undefined) return apps;
  const named = apps.filter((app) => app.appId === appId);
  return named.length === 0 ? null : named;
}

/**
 * Null where the merchant is not suspended. A suspended merchant may be the sign-up of a stranger. Until an operator has
 * looked at it, it gets no app, which would take an account and addresses, and mails no invitation. The flows that write
 * check again under the merchant's lock.
 */
export async function refuseSuspended({
  reader,
  merchantId,
}: Pick<MerchantCall, 'reader' | 'merchantId'>): Promise<{ ok: false; refusal: DashboardRefusal } | null> {
  // mark: suspended-makes-nothing-new
  return (await isMerchantSuspended(reader, merchantId)) ? SUSPENDED : null;
}

export const SUSPENDED = refusal(
  'conflict',
  'this merchant is suspended: an operator of this gateway has to resume it first',
);

/** Sorts behind every id. */
export const BEHIND_ALL = '~';

export const DEFAULT_ROWS = 50;

/** The ids between two times (Unix seconds) that come after a cursor. */
export function idSpan(
  prefix: IdPrefix,
  { from, to, cursor }: { readonly from?: number; readonly to?: number; readonly cursor?: string },
): { readonly from: string; readonly before: string } {
  const end = to === undefined ? BEHIND_ALL : firstIdAt(prefix, to * 1000);
  const before = cursor !== undefined && cursor < end ? cursor : end;
  return { from: from === undefined ? '' : firstIdAt(prefix, from * 1000), before };
}

/** The cursor of the next page; null where this page is not full. */
export function nextOf<T>(rows: readonly T[], limit: number, keyOf: (row: T) => string): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : keyOf(last);
}
