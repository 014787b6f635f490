// Who takes part in a run: two chains, a few apps with their terms and tempers, and how addresses are made.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { bsc } from '@ducat/core/chain/definitions/bsc';
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Chance } from './chance.ts';
import type { Temper } from './merchants.ts';

export interface CastApp {
  readonly appId: string;
  readonly accountPublicKey: string;
  readonly callbackUrl: string | null;
  readonly temper: Temper;
  readonly feePpm: number;
  readonly tolerancePpm: number;
  readonly appKey: string;
}

export interface Cast {
  readonly apps: readonly CastApp[];
  readonly chains: readonly { readonly definition: ChainDefinition; readonly finalityBlocks: number }[];
}

/** Currencies that are on a chain and that nobody watches: a twin with the same name, for one. */
export const UNKNOWN_CURRENCY = 9_999;

export function drawCast(chance: Chance): Cast {
  const apps = Array.from({ length: chance.between(2, 3) }, (_, place): CastApp => {
    const number = place + 1;
    const temper = chance.weighted([
      ['prompt', 3],
      ['moody', 5],
      ['dead', 1],
    ]);
    return {
      appId: `app_${number}`,
      accountPublicKey: `key${number}`,
      callbackUrl: chance.hits(0.1) ? null : `http://shop-${number}.test/hook`,
      temper,
      feePpm: chance.pick([0, 300, 300, 10_000]),
      tolerancePpm: chance.pick([0, 0, 20_000]),
      appKey: `secret-of-${number}`,
    };
  });
  const chains = [eth, bsc].map((definition) => ({
    definition: {
      ...definition,
      confirmations: chance.between(2, 5),
      windowBlocks: 32,
      blockTimeMs: 8_000,
    },
    finalityBlocks: chance.between(2, 6),
  }));
  return { apps, chains };
}

/** The address below an account key: what the sim's family derives. */
export function simAddress(accountPublicKey: string, index: number): string {
  return `0x${accountPublicKey.replace(/\D/g, '').padStart(20, '0')}${index.toString(16).padStart(20, '0')}`;
}
