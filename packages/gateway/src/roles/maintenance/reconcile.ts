// Compares what the ledger says a chain holds with the balances of every address of ours on it.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockStamp } from '@ducat/core/chain/transfer';
import { distance, type Reconciliation, reconcileCurrency } from '@ducat/core/ledger/reconcile';
import { type Amount, add, zero } from '@ducat/core/money/amount';
import type { ChainReader } from '../../chains/port/reader.ts';
import { Outage } from '../../runtime/outage.ts';
import { readUsedAddresses } from '../../db/tables/addresses.ts';
import { readCustody, readReceived } from '../../db/reports/custody.ts';
import type { Reader } from '../../db/postgres/tx.ts';

/** Addresses asked about in one go. */
const PAGE = 200;

export interface ChainReconciliation {
  readonly chain: string;
  /** The final block both sides were read at; null while nothing is final yet. */
  readonly at: BlockStamp | null;
  readonly addresses: number;
  readonly currencies: readonly Reconciliation[];
  /** Currencies that the chain cannot answer for, such as a token that was not there yet at that block. */
  readonly unanswered: readonly { readonly currencyId: number; readonly reason: string }[];
}

/** Reads both sides at the same final block. Throws `Outage` where the chain cannot be asked at all. */
export async function reconcileChain(reader: Reader, chain: ChainReader): Promise<ChainReconciliation> {
  const { name, family } = chain.definition;
  const custody = await readCustody(reader, name);
  const nothing = { chain: name, at: null, addresses: 0, currencies: [], unanswered: [] };
  if (custody === null) return nothing;
  // The catalogue knows far more tokens than most chains are asked to hold; of those that are off, only what is held.
  const currencies = chain.definition.currencies.filter(
    ({ enabled, currencyId }) => enabled || custody.held.has(currencyId),
  );
  const sums = new Map<number, Amount>(currencies.map(({ currencyId }) => [currencyId, zero(currencyId)]));
  const astray = new Map(sums);
  const unanswered = new Map<number, string>();
  let addresses = 0;
  for (let after = 0; ; ) {
    const page = await readUsedAddresses(reader, { family, after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.addressId;
    addresses += page.length;
    const asked = page.map(({ address }) => address);
    const pageIds = page.map(({ addressId }) => addressId);
    const received = await readReceived(reader, name, pageIds, custody.final.number);
    for (const currency of currencies) {
      const { currencyId } = currency;
      if (unanswered.has(currencyId)) continue;
      const balances = await balancesOf(chain, currency, asked, custody.final);
      if (typeof balances === 'string') unanswered.set(currencyId, balances);
      else {
        const expected = pageIds.map((id) => received.get(id)?.get(currencyId) ?? zero(currencyId));
        sums.set(currencyId, balances.reduce(add, sums.get(currencyId) ?? zero(currencyId)));
        astray.set(
          currencyId,
          distances(balances, expected).reduce(add, astray.get(currencyId) ?? zero(currencyId)),
        );
      }
    }
  }
  const compared = currencies
    .filter(({ currencyId }) => !unanswered.has(currencyId))
    .map(({ currencyId }) =>
      reconcileCurrency(
        currencyId,
        custody.held.get(currencyId),
        sums.get(currencyId),
        astray.get(currencyId),
      ),
    );
  return {
    chain: name,
    at: custody.final,
    addresses,
    currencies: compared,
    unanswered: [...unanswered].map(([currencyId, reason]) => ({ currencyId, reason })),
  };
}

/** How far each balance is from what its address got, in the order of the balances. */
function distances(balances: readonly Amount[], expected: readonly Amount[]): readonly Amount[] {
  return balances.map((balance, place) => distance(balance, expected[place] ?? zero(balance.currencyId)));
}

/** What each address holds, or why the chain cannot say. */
async function balancesOf(
  chain: ChainReader,
  currency: Currency,
  addresses: readonly string[],
  at: BlockStamp,
): Promise<readonly Amount[] | string> {
  try {
    const [report] = await chain.balances(addresses, currency, at, 1);
    return report?.amounts ?? [];
  } catch (error) {
    // An outage that asking again cannot end is about this currency alone.
    if (error instanceof Outage && !error.retryable) return error.message;
    throw error;
  }
}
