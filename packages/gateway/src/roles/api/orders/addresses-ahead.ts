// Derives the addresses that the next orders will get, while the database writes those orders.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { LRUCache } from 'lru-cache';
import type { OrderDetail } from '../../../db/tables/orders/orders.ts';
import type { AddressScheme } from '../../../chains/port/address-scheme.ts';
import type { NewOrder } from '../../../db/tables/orders/new-orders.ts';

/** Apps and families whose next index is remembered. */
const MAX_POOLS = 1_000;

/** Derived addresses that are remembered: for answers still to come, and for answers that may be asked for again. */
const MAX_AHEAD = 2_048;

interface Pool {
  readonly accountPublicKey: string;
  readonly nextIndex: number;
}

export interface AddressesAhead {
  /** Called while the statement that writes these orders is under way. */
  derive(orders: readonly NewOrder[]): void;
  /** Remembers which index a new order got, because the next order gets the index after it. */
  seen(family: ChainFamily, order: OrderDetail): void;
  /** The address of an order by its app's public key. The answer compares it with the order's stored address. */
  addressOf(family: ChainFamily, order: OrderDetail): string;
}

/**
 * A pool gives its addresses in the order of their indexes. So the address that an answer will have to prove can be derived
 * before the statement ends: a fifth of what an order costs the gateway is done while it would wait. The pool's stored
 * addresses are not read here, so the proof stays a second derivation. Where another process takes from the same pool, the
 * guess is wrong and has cost only time.
 */
export function createAddressesAhead(schemes: Readonly<Record<ChainFamily, AddressScheme>>): AddressesAhead {
  const pools = new LRUCache<string, Pool>({ max: MAX_POOLS });
  const derived = new LRUCache<string, string>({ max: MAX_AHEAD });
  return {
    derive(orders) {
      const taken = new Map<string, number>();
      for (const { appId, family } of orders) {
        const name = `${appId} ${family}`;
        const pool = pools.get(name);
        const before = taken.get(name) ?? 0;
        taken.set(name, before + 1);
        if (pool === undefined) continue;
        const [key, index] = [pool.accountPublicKey, pool.nextIndex + before];
        try {
          derived.set(placeOf(family, key, index), schemes[family].derive(key, index));
        } catch {
          // A key from which no address can be derived is reported by the answer that has to prove its address.
          pools.delete(name);
        }
      }
    },
    seen(family, { appId, accountPublicKey, addressIndex }) {
      const name = `${appId} ${family}`;
      const nextIndex = Math.max(addressIndex + 1, pools.get(name)?.nextIndex ?? 0);
      pools.set(name, { accountPublicKey, nextIndex });
    },
    addressOf(family, { accountPublicKey, addressIndex }) {
      const place = placeOf(family, accountPublicKey, addressIndex);
      const known = derived.get(place);
      if (known !== undefined) return known;
      const address = schemes[family].derive(accountPublicKey, addressIndex);
      derived.set(place, address);
      return address;
    },
  };
}

function placeOf(family: ChainFamily, accountPublicKey: string, index: number): string {
  return `${family}/${index}/${accountPublicKey}`;
}
