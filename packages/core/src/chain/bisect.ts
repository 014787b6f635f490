// Finds the blocks in which balances changed by what the books do not explain, and asks for few of the blocks between.
import { type Amount, isZero, subtract } from '../money/amount.ts';
import type { Surplus } from './surplus.ts';

/** Asks what these addresses hold beyond the books after the block of this number. */
export interface Probe {
  readonly number: number;
  readonly addresses: readonly string[];
}

/** In block `number` the surplus of an address changed by this amount. */
export interface SurplusChange {
  readonly number: number;
  readonly address: string;
  readonly amount: Amount;
}

/** The surplus after the block `low`, and after the block `high` above it; of the same addresses. */
export interface Stretch {
  readonly low: number;
  readonly high: number;
  readonly before: Surplus;
  readonly after: Surplus;
}

/**
 * Yields each probe and takes its surplus; returns the changes from low to high. One probe serves all addresses, so the
 * probes for a block in which many addresses changed grow with the logarithm of the stretch. A surplus that rose and fell
 * back within the stretch is not found. Once `mostProbes` are spent, a change counts for the highest block of its part.
 */
export function* findChanges(
  stretch: Stretch,
  mostProbes: number,
): Generator<Probe, readonly SurplusChange[], Surplus> {
  return yield* changesIn(stretch, { probes: mostProbes });
}

function* changesIn(
  { low, high, before, after }: Stretch,
  left: { probes: number },
): Generator<Probe, readonly SurplusChange[], Surplus> {
  const changes = differences(before, after);
  if (changes.size === 0) return [];
  if (high - low <= 1 || left.probes === 0) {
    return [...changes].map(([address, amount]) => ({ number: high, address, amount }));
  }
  left.probes -= 1;
  const number = low + Math.floor((high - low) / 2);
  const addresses = [...changes.keys()];
  const between = yield { number, addresses };
  const lower = yield* changesIn(
    { low, high: number, before: only(before, addresses), after: between },
    left,
  );
  const upper = yield* changesIn({ low: number, high, before: between, after: only(after, addresses) }, left);
  return [...lower, ...upper];
}

/** By how much the surplus of each address changed, where it did. */
function differences(before: Surplus, after: Surplus): Surplus {
  const changed = new Map<string, Amount>();
  for (const [address, amount] of after) {
    const earlier = before.get(address);
    const difference = earlier === undefined ? amount : subtract(amount, earlier);
    if (!isZero(difference)) changed.set(address, difference);
  }
  return changed;
}

function only(surplus: Surplus, addresses: readonly string[]): Surplus {
  return new Map(
    addresses.flatMap((address) => {
      const amount = surplus.get(address);
      return amount === undefined ? [] : [[address, amount] as const];
    }),
  );
}
