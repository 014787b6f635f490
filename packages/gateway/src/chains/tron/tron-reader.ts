// The readers of a Tron chain, one for each provider.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { ProviderReader } from '../port/provider-reader.ts';
import { ProvenBodies } from './block/proven-bodies.ts';
import { connectTron, type TronReaderOptions } from './connect.ts';
import { TronProvider } from './provider.ts';

/** Connects to nothing yet. Throws Outage, not retryable, where an address is missing or no URL. */
export function createTronReaders(options: TronReaderOptions): readonly ProviderReader[] {
  const { definition } = options;
  const nativeId = nativeCurrency(definition).currencyId;
  const chain = { name: definition.name, nativeId, bodies: new ProvenBodies() };
  return connectTron(options).map(
    ({ name, full, solid }) => new TronProvider({ name, definition, chain, full, solid }),
  );
}
