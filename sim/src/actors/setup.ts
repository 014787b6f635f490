// What a run is set up with: two chains, a few apps with their terms and tempers, and how addresses are made.
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import type { KeyBranch } from '@ducat/core/signing/key-path';
import { bsc } from '@ducat/core/chain/definitions/bsc';
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import type { Chance } from '../world/chance.ts';
import type { Lie } from '../nodes/provider.ts';
import type { Temper } from './merchants.ts';

export interface AppSetup {
  readonly appId: string;
  readonly accountPublicKey: string;
  readonly callbackUrl: string | null;
  readonly temper: Temper;
  readonly feePpm: number;
  readonly tolerancePpm: number;
  readonly appKey: string;
  /** What payouts cost, and who bears it; only where there are payouts. */
  readonly payoutFeePpm?: number;
  readonly feesDeducted?: boolean;
  /** In 10^-6 USD: a payout above it waits for a second person. */
  readonly approvalAbove?: bigint | null;
}

export interface ChainSetup {
  readonly definition: ChainDefinition;
  readonly finalityBlocks: number;
  readonly providers: number;
  /** Whether one of the providers lies; never where there is only one. */
  readonly hasFaultyProvider: boolean;
  /** The lie of the first provider, in every answer that it fits, to the end. Drawn where it is left out. */
  readonly lie?: Lie;
}

export interface Setup {
  readonly apps: readonly AppSetup[];
  readonly chains: readonly ChainSetup[];
}

/** Stands for a currency that is on a chain and that the gateway does not watch, such as a twin with the same name. */
export const UNKNOWN_CURRENCY = 9_999;
/** The native currency and two tokens of each chain. */
const CURRENCIES = 3;

export function drawSetup(chance: Chance): Setup {
  const apps = Array.from({ length: chance.between(2, 3) }, (_, place): AppSetup => {
    const temper = chance.weighted([
      ['prompt', 3],
      ['moody', 5],
      ['dead', 1],
    ]);
    return {
      ...appSetup(place + 1, temper),
      callbackUrl: chance.hits(0.1) ? null : `http://shop-${place + 1}.test/hook`,
      feePpm: chance.pick([0, 300, 300, 10_000]),
      tolerancePpm: chance.pick([0, 20_000]),
    };
  });
  const chains = chance
    .shuffled([eth, bsc, tron])
    .slice(0, 2)
    .map((definition): ChainSetup => {
      const providers = chance.pick([1, 2, 3, 3]);
      return {
        ...chainSetup(definition, chance.between(2, 5)),
        // Mostly deeper than the confirmations, because a lie about finality would change nothing otherwise.
        finalityBlocks: chance.between(3, 8),
        providers,
        hasFaultyProvider: providers > 1 && chance.hits(0.8),
      };
    });
  return { apps, chains };
}

/** An app with the terms that most have. */
export function appSetup(number: number, temper: Temper): AppSetup {
  return {
    appId: `app_${number}`,
    accountPublicKey: `key${number}`,
    callbackUrl: `http://shop-${number}.test/hook`,
    temper,
    feePpm: 300,
    tolerancePpm: 0,
    appKey: `secret-of-${number}`,
  };
}

/** A chain of the simulator: production's definition with a pace and a size that suit a short run. */
export function chainSetup(definition: ChainDefinition, confirmations: number): ChainSetup {
  return {
    definition: {
      ...definition,
      confirmations,
      windowBlocks: 32,
      blockTimeMs: 8_000,
      currencies: definition.currencies.slice(0, CURRENCIES),
    },
    finalityBlocks: 2,
    providers: 1,
    hasFaultyProvider: false,
  };
}

const PREFIX: Readonly<Record<ChainFamily, string>> = { evm: '0x', tron: '41' };

/** The address that the simulator derives below an account key, for each family. */
export function simAddress(
  family: ChainFamily,
  accountPublicKey: string,
  index: number,
  branch: KeyBranch = 'deposit',
): string {
  const account = accountPublicKey.replace(/\D/g, '').padStart(20, '0');
  const place = index.toString(16).padStart(20, '0');
  return `${PREFIX[family]}${account}${branch === 'wallet' ? `f${place.slice(1)}` : place}`;
}
