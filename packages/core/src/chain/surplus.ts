// What addresses hold beyond what the books know of, and what a quorum of providers reports of it.
import { type Amount, amountOf, compare, subtract } from '../money/amount.ts';
import type { Currency } from './currency.ts';

/** By address: what it holds less what the books expect; below zero where something is gone. */
export type Surplus = ReadonlyMap<string, Amount>;

/** One provider's balances, and what the books expect after the same block, both in the order of the addresses. */
export interface ReportedBalances {
  readonly amounts: readonly Amount[];
  readonly expected: readonly Amount[];
}

export function surplusOf(addresses: readonly string[], { amounts, expected }: ReportedBalances): Surplus {
  const surplus = new Map<string, Amount>();
  for (const [place, address] of addresses.entries()) {
    const [held, known] = [amounts[place], expected[place]];
    if (held !== undefined && known !== undefined) surplus.set(address, subtract(held, known));
  }
  return surplus;
}

export interface AgreedSurplus {
  readonly agreed: Surplus;
  /** Addresses for which fewer than `quorum` reports are the same. */
  readonly disputed: readonly string[];
}

/** Reports may be of different blocks, where providers have no historical state. Only the surplus has to be the same. */
export function agreeOnSurplus(reports: readonly Surplus[], quorum: number): AgreedSurplus {
  const agreed = new Map<string, Amount>();
  const disputed: string[] = [];
  for (const address of new Set(reports.flatMap((report) => [...report.keys()]))) {
    const amounts = reports.flatMap((report) => report.get(address) ?? []);
    const found = amounts.find(
      (one) => amounts.filter((other) => compare(one, other) === 0).length >= quorum,
    );
    if (found === undefined) disputed.push(address);
    else agreed.set(address, found);
  }
  return { agreed, disputed };
}

/** Digits behind the point of a whole coin. A surplus that shows only behind them is not searched for. */
const DUST_DIGITS = 6;

/** A millionth of a whole coin. Anybody can send less to any address, at less cost than our search for it has. */
export function dustOf({ currencyId, decimals }: Pick<Currency, 'currencyId' | 'decimals'>): Amount {
  return amountOf(currencyId, 10n ** BigInt(Math.max(0, decimals - DUST_DIGITS)));
}

/** The addresses that hold more than dust beyond the books. */
export function beyondDust(surplus: Surplus, dust: Amount): Surplus {
  return new Map([...surplus].filter(([, amount]) => compare(amount, dust) === 1));
}
