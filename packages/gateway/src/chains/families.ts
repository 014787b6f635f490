// What each chain family brings: a family that is added to core does not compile until it is served here.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { AddressScheme, ChainPort } from './port.ts';
import { evmAddressScheme } from './evm/address.ts';
import { createEvmChain, type EvmChainOptions } from './evm/evm-chain.ts';

/** What a chain of any family is connected with. */
export type ChainOptions = EvmChainOptions;

export interface Family {
  readonly addressScheme: AddressScheme;
  createChain(options: ChainOptions): ChainPort;
}

export const families: Readonly<Record<ChainFamily, Family>> = {
  evm: { addressScheme: evmAddressScheme, createChain: createEvmChain },
};
