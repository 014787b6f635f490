// Caches what a transfer costs on each chain, so that pages do not wait for providers and providers are asked rarely.
import type { Amount } from '@ducat/core/money/amount';
import { Outage } from '../../runtime/outage.ts';
import { within } from '../../runtime/world.ts';
import type { PageListing, PagesDeps } from './port.ts';

export interface TransferFees {
  /** The fee in the chain's own coin; null while it is not known. Only the first call waits for a provider. */
  of(listing: PageListing): Promise<Amount | null>;
}

/** The chain is asked again after FRESH_MS. A fee older than OLD_MS is not shown. */
const FRESH_MS = 60_000;
const OLD_MS = 15 * FRESH_MS;
/** The longest time that the first page of a process waits. */
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
      // The previous fee is shown until it is too old.
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
