// Compares every used address of a chain with the books, in every currency, page by page, when a person asks for it.
import type { Currency } from '@ducat/core/chain/currency';
import { type Amount, add, compare, subtract, zero } from '@ducat/core/money/amount';
import { addressesPerCall } from '@ducat/core/reserves/plan';
import { readBooksHeight, readHeldCurrencies } from '../../db/reports/books-height.ts';
import type { UsedAddress } from '../../db/reports/touched-addresses.ts';
import { readUsedAddresses } from '../../db/tables/addresses.ts';
import type { ComparedBalance } from '../../flows/checks/record-comparison.ts';
import { Outage } from '../../runtime/outage.ts';
import { compareBalances, type Comparing } from './compare-balances.ts';

export interface FoundDifference {
  readonly address: string;
  /** Chain less books: negative is missing. */
  readonly difference: Amount;
  readonly atBlock: number;
}

export interface ComparedCurrency {
  readonly currency: Currency;
  /** The sum that our addresses hold by the books, and the sum that they hold on the chain. */
  readonly ledger: Amount;
  readonly chain: Amount;
  /** The lowest block after which a balance was compared; for the coin it may be below the final one. Null without any. */
  readonly atBlock: number | null;
  /** How many addresses differ, and the first of them. */
  readonly differing: number;
  readonly differences: readonly FoundDifference[];
  /** Why the currency could not be compared; null where it was. */
  readonly trouble: string | null;
}

export interface ComparedChain {
  /** The final block of the books when the comparison began. Null while nothing is final; then nothing is compared. */
  readonly finalBlock: number | null;
  readonly addresses: number;
  readonly currencies: readonly ComparedCurrency[];
}

/** How many differences of a currency are kept; all are counted. */
const KEPT_DIFFERENCES = 20;

/** Called with the number of addresses compared so far. */
export type OnCompared = (addresses: number) => void;

/**
 * A currency that cannot be compared gets `trouble`, and its further pages are left out. Differences in other currencies,
 * and in its own earlier pages, are shown all the same. Throws Outage where the database is away.
 */
export async function compareChain(
  comparing: Omit<Comparing, 'onCall'>,
  onCompared: OnCompared = () => undefined,
): Promise<ComparedChain> {
  const { chain, reader } = comparing;
  const { name, family, currencies } = chain.definition;
  const { final } = await readBooksHeight(reader, name);
  if (final === null) return { finalBlock: null, addresses: 0, currencies: [] };
  const held = await readHeldCurrencies(reader, name);
  const drafts = currencies
    .filter(({ enabled, currencyId }) => enabled || held.has(currencyId))
    .map((currency) => new Draft(currency));
  let addresses = 0;
  for (let after = 0; ; ) {
    const page = await readUsedAddresses(reader, { family, after, limit: addressesPerCall[family] });
    const last = page.at(-1);
    if (last === undefined) break;
    for (const draft of drafts) await draft.compare({ ...comparing, onCall: () => undefined }, page);
    addresses += page.length;
    after = last.addressId;
    onCompared(addresses);
  }
  return { finalBlock: final.number, addresses, currencies: drafts.map((draft) => draft.compared()) };
}

/** The sums of one currency while its pages come in. */
class Draft {
  readonly #currency: Currency;
  #ledger: Amount;
  #chain: Amount;
  #atBlock: number | null = null;
  #differing = 0;
  readonly #differences: FoundDifference[] = [];
  #trouble: string | null = null;

  constructor(currency: Currency) {
    this.#currency = currency;
    this.#ledger = zero(currency.currencyId);
    this.#chain = zero(currency.currencyId);
  }

  async compare(comparing: Comparing, page: readonly UsedAddress[]): Promise<void> {
    if (this.#trouble !== null) return;
    try {
      const balances = await compareBalances(comparing, this.#currency, page);
      for (const balance of balances) this.#add(balance, page);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      this.#trouble = error.message;
    }
  }

  #add({ addressId, expected, actual, atBlock }: ComparedBalance, page: readonly UsedAddress[]): void {
    this.#ledger = add(this.#ledger, expected);
    this.#chain = add(this.#chain, actual);
    this.#atBlock = Math.min(this.#atBlock ?? atBlock, atBlock);
    if (compare(expected, actual) === 0) return;
    this.#differing++;
    const address = page.find((one) => one.addressId === addressId)?.address ?? '';
    const difference = subtract(actual, expected);
    if (this.#differences.length < KEPT_DIFFERENCES) this.#differences.push({ address, difference, atBlock });
  }

  compared(): ComparedCurrency {
    return {
      currency: this.#currency,
      ledger: this.#ledger,
      chain: this.#chain,
      atBlock: this.#atBlock,
      differing: this.#differing,
      differences: this.#differences,
      trouble: this.#trouble,
    };
  }
}
