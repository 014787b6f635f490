// The chains Ducat knows by itself; one line each.
import type { ChainDefinition } from '../chain.ts';
import { bsc } from './bsc.ts';
import { eth } from './eth.ts';
import { wkc } from './wkc.ts';

export const chainDefinitions: readonly ChainDefinition[] = [eth, bsc, wkc];
