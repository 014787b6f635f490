// Makes the quorum reader and writer of a chain from the providers in its configuration.
import { families } from '../chains/families.ts';
import type { ChainReader } from '../chains/port/reader.ts';
import type { ChainWriter } from '../chains/port/writer.ts';
import { createChainWriter } from '../chains/quorum/chain-writer.ts';
import { createQuorumReader } from '../chains/quorum/quorum-reader.ts';
import type { ProviderOptions } from '../chains/rpc/provider-options.ts';
import type { ConfiguredChain } from '../config/chains.ts';
import { realWorld, type World } from '../runtime/world.ts';
import { guardedPost } from './additions/guarded-post.ts';

export interface OpenChain extends Pick<ProviderOptions, 'observer' | 'secondThread'> {
  readonly world?: World;
}

/** Opens no connection yet. */
export function openChain(
  { definition, nodes }: Pick<ConfiguredChain, 'definition' | 'nodes'>,
  { world = realWorld, ...observed }: OpenChain = {},
): ChainReader {
  const { quorum, ...access } = accessOf(nodes, world);
  const readers = families[definition.family].createReaders({ definition, ...access, world, ...observed });
  return createQuorumReader({ definition, readers, quorum: quorum ?? null, world });
}

/** The same providers, for outgoing transactions. Opens no connection yet. */
export function openChainWriter(
  { definition, nodes }: Pick<ConfiguredChain, 'definition' | 'nodes'>,
  { world = realWorld, ...observed }: OpenChain = {},
): ChainWriter {
  const { quorum, ...access } = accessOf(nodes, world);
  const writers = families[definition.family].createWriters({ definition, ...access, world, ...observed });
  return createChainWriter({ definition, writers, quorum: quorum ?? null, world });
}

function accessOf({ onlyPublicBut, ...access }: ConfiguredChain['nodes'], world: World) {
  return { ...access, ...(onlyPublicBut === undefined ? {} : { http: guardedPost(world, onlyPublicBut) }) };
}
