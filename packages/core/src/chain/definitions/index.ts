// The chains Ducat knows by itself; one line each.
import type { ChainDefinition } from '../chain.ts';
import { bsc } from './bsc.ts';
import { eth } from './eth.ts';
import { tron } from './tron.ts';
import { wkc } from './wkc.ts';

export const chainDefinitions: readonly ChainDefinition[] = [eth, bsc, tron, wkc];

/** The chains of which only name, network, coin and numbers are pinned. An operator states the rest. */
export const chainsToSetUp: readonly ChainDefinition[] = chainDefinitions.filter(
  ({ chainId }) => chainId === 0,
);
