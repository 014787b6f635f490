// Says which currencies whoever watches a chain has to read, before any order in them is opened.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor, setCurrencies } from '../../db/tables/cursors.ts';

/**
 * A process says so at its start; the one that started last is right. From then on no block is accepted by a process that
 * reads fewer currencies, because a transfer that was left out would never be found: blocks are read only once.
 */
export async function requireCurrencies(
  tx: Tx,
  chains: readonly Pick<ChainDefinition, 'name' | 'currencies'>[],
  nowMs: number,
): Promise<void> {
  // Processes that start at the same time lock the chains in the same order.
  for (const { name, currencies } of chains.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    await lockCursor(tx, name, nowMs);
    await setCurrencies(
      tx,
      name,
      currencies.map(({ currencyId }) => currencyId),
    );
  }
}
