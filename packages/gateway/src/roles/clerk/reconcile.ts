// Compares what the ledger says a chain holds with the balances of every address of ours on it.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockStamp } from '@ducat/core/chain/transfer';
import { type Reconciliation, reconcileCurrency } from '@ducat/core/ledger/reconcile';
import type { Amount } from '@ducat/core/money/amount';
import type { ChainPort } from '../../chains/port.ts';
import { readUsedAddresses } from '../../store/addresses.ts';
import { readCustody } from '../../store/custody.ts';
import type { Reader } from '../../store/tx.ts';

/** Addresses asked about in one go. */
const PAGE = 200;

export interface ChainReconciliation {
  readonly chain: string;
  /** The final block both sides were read at; null while nothing is final yet. */
  readonly at: BlockStamp | null;
  readonly addresses: number;
  readonly currencies: readonly Reconciliation[];
}

/** Reads both sides at the same final block. Throws `Outage` where the chain cannot answer for that block. */
export async function reconcileChain(reader: Reader, chain: ChainPort): Promise<ChainReconciliation> {
  const { name, family, currencies } = chain.definition;
  const custody = await readCustody(reader, name);
  if (custody === null) return { chain: name, at: null, addresses: 0, currencies: [] };
  const sums = new Map<number, Amount[]>(currencies.map(({ currencyId }) => [currencyId, []]));
  let addresses = 0;
  let after = 0;
  for (;;) {
    const page = await readUsedAddresses(reader, family, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.addressId;
    addresses += page.length;
    await addBalances(
      sums,
      chain,
      page.map(({ address }) => address),
      custody.final,
    );
  }
  const compared = currencies.map(({ currencyId }) =>
    reconcileCurrency(currencyId, custody.held.get(currencyId), sums.get(currencyId) ?? []),
  );
  return { chain: name, at: custody.final, addresses, currencies: compared };
}

async function addBalances(
  sums: ReadonlyMap<number, Amount[]>,
  chain: ChainPort,
  addresses: readonly string[],
  at: BlockStamp,
): Promise<void> {
  for (const currency of chain.definition.currencies satisfies readonly Currency[]) {
    const balances = await chain.balances(addresses, currency, at);
    sums.get(currency.currencyId)?.push(...balances);
  }
}
