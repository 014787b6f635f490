// One search: compares balances at the newest final block with the books, page by page, and books what it finds.
import { beyondDust, dustOf } from '@ducat/core/chain/surplus';
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { BlockStamp } from '@ducat/core/chain/transfer';
import { formatAmount } from '@ducat/core/money/decimal';
import { findBlock } from '../../../db/tables/blocks.ts';
import { readSearchAddresses, type SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import { confirmInternal } from '../../../flows/blocks/confirm-internal.ts';
import { cursorOf, haltedByBug, type LeasedChain, type Outcome } from '../parts.ts';
import { explainSurplus, type Findings } from './explain-surplus.ts';
import { readSurplus } from './read-surplus.ts';

/** Addresses that are compared in one call and booked in one transaction. */
const PAGE = 500;
/** Seconds for which an expired order is still looked after: what comes later shows in the comparison of the books. */
const EXPIRED_WITHIN_S = 24 * 3_600;

export interface Searching {
  readonly signal: AbortSignal;
  /** Whether a trace is waited for that a provider could give and does not. */
  readonly waitsForTrace: boolean;
}

/** Throws `Outage` where balances cannot be compared now; anything else that breaks halts the chain. */
export function searchOnce(watch: LeasedChain, searching: Searching): Promise<Outcome> {
  return searchOrThrow(watch, searching).catch((error: unknown) => haltedByBug(watch, error));
}

async function searchOrThrow(watch: LeasedChain, searching: Searching): Promise<Outcome> {
  const { chain, reader, transact, lease, world } = watch;
  const { definition } = chain;
  const cursor = await cursorOf(watch);
  if (cursor === null || cursor.haltedReason !== null || cursor.finalNumber === null) return 'idle';
  const { finalNumber, searchedNumber } = cursor;
  if (searchedNumber !== null && searchedNumber >= finalNumber) return 'idle';
  const final = await findBlock(reader, definition.name, finalNumber);
  if (final === null) return 'idle';
  const from = searchedNumber ?? cursor.startNumber ?? finalNumber;
  for (let after = 0; ; ) {
    const expiredSince = final.time - EXPIRED_WITHIN_S;
    const page = await readSearchAddresses(reader, { chain: definition, expiredSince, after, limit: PAGE });
    const isLast = page.length < PAGE;
    const findings = page.length === 0 ? nothingFound(final) : await searchPage(watch, { from, final, page }, searching);
    const addressIds = page.map(({ addressId }) => addressId);
    const input = { chain: definition, addressIds, ...findings, searched: isLast ? final : null, nowMs: world.nowMs(), lease };
    const confirmed = await transact((tx) => confirmInternal(tx, input));
    report(watch, findings);
    if (isLast) return 'idle';
    after = page.at(-1)?.addressId ?? after;
  }
}
