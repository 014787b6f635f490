// The readers and writers of each family. A family that is added to core does not compile until it has an entry here.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { createEvmReaders } from './evm/evm-reader.ts';
import { createEvmWriters } from './evm/writer/evm-writer.ts';
import type { ProviderReader } from './port/provider-reader.ts';
import type { ProviderWriter } from './port/writer.ts';
import type { TronOptions } from './tron/connect.ts';
import { createTronReaders } from './tron/tron-reader.ts';
import { createTronWriters } from './tron/writer/tron-writer.ts';

/** Options to connect the providers of any family. */
export type ReaderOptions = TronOptions;

export interface Family {
  /** One reader for each provider, in the order of the configuration. */
  createReaders(options: ReaderOptions): readonly ProviderReader[];
  /** One writer for each provider, in the same order. */
  createWriters(options: ReaderOptions): readonly ProviderWriter[];
}

export const families: Readonly<Record<ChainFamily, Family>> = {
  evm: { createReaders: createEvmReaders, createWriters: createEvmWriters },
  tron: { createReaders: createTronReaders, createWriters: createTronWriters },
};
