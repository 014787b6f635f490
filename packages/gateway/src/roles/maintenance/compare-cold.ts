// Compares cold storage with the books: its addresses may hold more than the books say, and never less.
import type { Currency } from '@ducat/core/chain/currency';
import { type Amount, compare } from '@ducat/core/money/amount';
import { readColdHoldings } from '../../db/tables/books/cold-storage.ts';
import { Outage } from '../../runtime/outage.ts';
import type { Comparing } from './compare-balances.ts';

export interface ComparedCold {
  readonly address: string;
  readonly currency: Currency;
  /** The amount that the address holds by the books. */
  readonly ledger: Amount;
  /** The least amount that any provider of a quorum reports; null where they could not be asked. */
  readonly chain: Amount | null;
}

/** Only less than the books say is short: the keys are the operator's own, and the books see no other transfers there. */
export function isColdShort({ ledger, chain }: ComparedCold): boolean {
  return chain !== null && compare(chain, ledger) < 0;
}

/** Empty while nothing is final. Throws Outage where the database is away. */
export async function compareCold({
  chain,
  reader,
}: Pick<Comparing, 'chain' | 'reader'>): Promise<readonly ComparedCold[]> {
  const { name, currencies } = chain.definition;
  const compared: ComparedCold[] = [];
  for (const { address, held, final } of await readColdHoldings(reader, name)) {
    const currency = currencies.find(({ currencyId }) => currencyId === held.currencyId);
    if (currency === undefined || final === null) continue;
    const balances = await balancesOf(chain, address, currency, final);
    const [first = null] = balances;
    const least = balances.reduce(
      (one, other) => (one !== null && compare(other, one) < 0 ? other : one),
      first,
    );
    compared.push({ address, currency, ledger: held, chain: least });
  }
  return compared;
}

/** Empty where the chain could not be asked. */
async function balancesOf(
  chain: Comparing['chain'],
  address: string,
  currency: Currency,
  at: { readonly number: number; readonly hash: string },
): Promise<readonly Amount[]> {
  try {
    const reports = await chain.balances([address], currency, at, chain.quorum);
    return reports.flatMap(({ amounts }) => amounts);
  } catch (error) {
    if (error instanceof Outage) return [];
    throw error;
  }
}
