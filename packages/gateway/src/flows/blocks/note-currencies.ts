// Notes for which currencies the blocks of a chain are read from now on.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor, setCurrencies } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';

export interface NoteCurrencies {
  readonly chain: Pick<ChainDefinition, 'name' | 'currencies'>;
  readonly nowMs: number;
  /** The lease under which this process watches the chain. */
  readonly lease: HeldLease;
}

/**
 * Orders in all other currencies of the chain are refused from now on, because blocks are read only once, so a payment that
 * was left out would never be found. False where another process watches the chain now; nothing was written.
 */
export async function noteCurrencies(tx: Tx, { chain, nowMs, lease }: NoteCurrencies): Promise<boolean> {
  if (!(await holdsLease(tx, watchLease(chain.name), lease))) return false;
  await lockCursor(tx, chain.name, nowMs);
  await setCurrencies(
    tx,
    chain.name,
    chain.currencies.map(({ currencyId }) => currencyId),
  );
  return true;
}
