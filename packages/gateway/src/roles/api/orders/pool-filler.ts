// Fills a pool of addresses that a request found empty; parallel requests share one filling.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { fillAddressPool } from '../../../flows/addresses/fill-address-pool.ts';
import type { ApiDeps } from '../api-deps.ts';

/** Resolves once a filling is done that the call started or shares. */
export type FillPool = (appId: string, family: ChainFamily) => Promise<void>;

/** The number of free addresses after a filling. Maintenance keeps the pool fuller than this. */
const TARGET = 20;

export function createPoolFiller({
  transact,
  addressSchemes,
}: Pick<ApiDeps, 'transact' | 'addressSchemes'>): FillPool {
  const running = new Map<string, Promise<void>>();

  async function fill(appId: string, family: ChainFamily): Promise<void> {
    const derive = (key: string, index: number) => addressSchemes[family].derive(key, index);
    await transact((tx) => fillAddressPool(tx, { appId, family, derive, target: TARGET }));
  }

  return (appId, family) => {
    const key = `${appId} ${family}`;
    const shared = running.get(key);
    if (shared !== undefined) return shared;
    const filling = fill(appId, family).finally(() => running.delete(key));
    running.set(key, filling);
    return filling;
  };
}
