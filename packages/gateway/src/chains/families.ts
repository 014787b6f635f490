// How the providers of each family are read: a family that is added to core does not compile until it is served here.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { createEvmReaders, type EvmReaderOptions } from './evm/evm-reader.ts';
import type { ProviderReader } from './port/provider-reader.ts';
import { createTronReaders, type TronReaderOptions } from './tron/tron-reader.ts';

/** What the providers of any family are connected with. */
export type ReaderOptions = EvmReaderOptions & TronReaderOptions;

export interface Family {
  /** One reader for each provider, in the order of the configuration. */
  createReaders(options: ReaderOptions): readonly ProviderReader[];
}

export const families: Readonly<Record<ChainFamily, Family>> = {
  evm: { createReaders: createEvmReaders },
  tron: { createReaders: createTronReaders },
};
