// What connects a chain of each family: a family that is added to core does not compile until it is served here.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { ChainPort } from './port.ts';
import { createEvmChain, type EvmChainOptions } from './evm/evm-chain.ts';
import { createTronChain, type TronChainOptions } from './tron/tron-chain.ts';

/** What a chain of any family is connected with. */
export type ChainOptions = EvmChainOptions & TronChainOptions;

export interface Family {
  createChain(options: ChainOptions): ChainPort;
}

export const families: Readonly<Record<ChainFamily, Family>> = {
  evm: { createChain: createEvmChain },
  tron: { createChain: createTronChain },
};
