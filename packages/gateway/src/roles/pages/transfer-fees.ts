// Remembers what a transfer costs on each chain, so that a page waits for no provider and no provider is asked often.
import type { Amount } from '@ducat/core/money/amount';
import { Outage } from '../../runtime/outage.ts';
import { within } from '../../runtime/world.ts';
import type { PageListing, PagesDeps } from './port.ts';

export interface TransferFees {
  /** In the chain's own coin; null while it is not known. Waits for a provider at the first question alone. */
  of(listing: PageListing): Promise<Amount | null>;
}

/** The chain is asked again after this time, and a fee older than the second is not shown. */
const FRESH_MS = 60_000;
const OLD_MS = 15 * FRESH_MS;
/** The first page of a process waits so long at most. */
const FIRST_WAIT_MS = 1_000;

interface Known {
  amount: Amount | null;
  amountAtMs: number;
  askedAtMs: number;
}

/** All tokens of a chain count as one, because their transfers cost nearly the same. */
export function createTransferFees({
  world,
  estimateFee,
  onBug,
}: Pick<PagesDeps, 'world' | 'estimateFee' | 'onBug'>): TransferFees {
  const byKind = new Map<string, Known>();
  const ask = async (listing: PageListing, known: Known): Promise<void> => {
    try {
      const amount = await estimateFee(listing);
      if (amount !== null) Object.assign(known, { amount, amountAtMs: world.nowMs() });
    } catch (error) {
      // The fee of before is shown until it is too old.
      if (!(error instanceof Outage))
        onBug(error instanceof Error ? error : new Error('a fee', { cause: error }));
    }
  };
  return {
    of: async (listing) => {
      const kind = `${listing.chain.name} ${listing.currency.contract === null ? 'coin' : 'token'}`;
      const nowMs = world.nowMs();
      const known = byKind.get(kind);
      if (known === undefined) {
        const first: Known = { amount: null, amountAtMs: nowMs, askedAtMs: nowMs };
        byKind.set(kind, first);
        await within(world, FIRST_WAIT_MS, ask(listing, first));
        return first.amount;
      }
      if (nowMs - known.askedAtMs >= FRESH_MS) {
        known.askedAtMs = nowMs;
        void ask(listing, known);
      }
      return nowMs - known.amountAtMs < OLD_MS ? known.amount : null;
    },
  };
}
