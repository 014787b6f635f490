// One search: compares balances at the newest final block with the books, page by page, and books what it finds.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { beyondDust, dustOf } from '@ducat/core/chain/surplus';
import type { BlockStamp } from '@ducat/core/chain/transfer';
import { zero } from '@ducat/core/money/amount';
import { addressesPerCall } from '@ducat/core/reserves/plan';
import { findBlock } from '../../../db/tables/blocks.ts';
import { readSearchAddresses, type SearchAddress } from '../../../db/tables/transfers/proposals.ts';
import {
  type BalanceFinding,
  confirmInternal,
  type ConfirmInternal,
} from '../../../flows/blocks/confirm-internal.ts';
import { cursorOf, haltedByBug, type LeasedChain, type Outcome } from '../parts.ts';
import { explainSurplus } from './explain-surplus.ts';
import { locateSurplus } from './locate-surplus.ts';
import { readSurplus } from './read-surplus.ts';
import { reportFindings } from './report-findings.ts';

/**
 * How long after its expiry an order's address is searched. Later money shows in the comparison of the books with the chain.
 */
const EXPIRED_WITHIN_S = 24 * 3_600;

export interface Searching {
  readonly signal: AbortSignal;
  /** Whether to wait for a trace that a provider could give and does not. */
  readonly waitsForTrace: boolean;
}

/** Throws `Outage` where balances cannot be compared now; anything else that breaks halts the chain. */
export function searchOnce(watch: LeasedChain, searching: Searching): Promise<Outcome> {
  return searchPages(watch, searching).catch((error: unknown) => haltedByBug(watch, error));
}

async function searchPages(watch: LeasedChain, searching: Searching): Promise<Outcome> {
  const { chain, reader } = watch;
  const { definition } = chain;
  const cursor = await cursorOf(watch);
  if (cursor === null || cursor.haltedReason !== null || cursor.finalNumber === null) return 'idle';
  const { finalNumber, searchedNumber, startNumber } = cursor;
  if (searchedNumber !== null && searchedNumber >= finalNumber) return 'idle';
  const final = await findBlock(reader, definition.name, finalNumber);
  if (final === null) return 'idle';
  const stretch = { low: searchedNumber ?? startNumber ?? finalNumber, final };
  const expiredSince = final.time - EXPIRED_WITHIN_S;
  // One call for each page: where providers have no past balances, two calls would answer with two blocks.
  const limit = addressesPerCall[definition.family];
  for (let after = 0; ; ) {
    const page = await readSearchAddresses(reader, { chain: definition, expiredSince, after, limit });
    const last = page.at(-1);
    const isLast = last === undefined || page.length < limit;
    const found = last === undefined ? nothingIn(final) : await searchPage(watch, stretch, page, searching);
    const outcome = await book(watch, { ...found, searched: isLast ? final : null });
    if (outcome !== 'busy' || isLast) return outcome;
    after = last.addressId;
  }
}

type Found = Pick<ConfirmInternal, 'checked' | 'findings'>;

function nothingIn({ number }: BlockStamp): Found {
  return { checked: { addressIds: [], upTo: number }, findings: [] };
}

interface SearchedStretch {
  /** The height up to which balances were compared before. */
  readonly low: number;
  readonly final: BlockStamp;
}

async function searchPage(
  watch: LeasedChain,
  { low, final }: SearchedStretch,
  page: readonly SearchAddress[],
  { signal, waitsForTrace }: Searching,
): Promise<Found> {
  const native = nativeCurrency(watch.chain.definition);
  const { surplus, at, expected } = await readSurplus(watch, page, final, signal);
  const checked = { addressIds: page.map(({ addressId }) => addressId), upTo: at };
  const after = beyondDust(surplus, dustOf(native));
  if (after.size === 0) return { checked, findings: [] };
  const rich = page.filter(({ address }) => after.has(address));
  const changes = await locateSurplus(watch, { low, high: at, after, page: rich });
  const gains = await explainSurplus(watch, changes, rich, waitsForTrace);
  const findings = rich.map(
    ({ addressId, address }): BalanceFinding => ({
      addressId,
      address,
      at,
      expected: expected.get(address) ?? zero(native.currencyId),
      gains: gains.get(address) ?? [],
    }),
  );
  return { checked, findings };
}

/** `busy` where the next page may follow. */
async function book(watch: LeasedChain, found: Found & Pick<ConfirmInternal, 'searched'>): Promise<Outcome> {
  const { chain, transact, world } = watch;
  const { definition } = chain;
  const dust = dustOf(nativeCurrency(definition));
  const nowMs = world.nowMs();
  const input = { ...watch, chain: definition, ...found, dust, nowMs };
  const confirmed = await transact((tx) => confirmInternal(tx, input));
  if (confirmed.outcome === 'halted' || confirmed.outcome === 'lease-lost') return confirmed.outcome;
  // Where the books moved on meanwhile, the next search compares anew.
  if (confirmed.outcome === 'stale') return 'idle';
  reportFindings(watch, found.findings, confirmed);
  return 'busy';
}
