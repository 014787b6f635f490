// A chain as one process reads it: production's quorum over simulated providers.
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import { createQuorumReader } from '@ducat/gateway/chains/quorum/quorum-reader';
import type { World } from '@ducat/gateway/runtime/world';
import type { SimProcess } from '../world/sim-process.ts';
import type { ChainGate } from './chain-gate.ts';
import { evmReaders } from './evm-readers.ts';
import { evmRules } from './evm-rules.ts';
import { PlainReader } from './plain-reader.ts';
import { plainRules } from './plain-rules.ts';
import type { ChainRules } from './sim-block.ts';
import type { SimChain } from './sim-chain.ts';

type Readers = (
  process: SimProcess,
  chain: SimChain,
  gate: ChainGate,
  world: World,
) => readonly ProviderReader[];

const plainReaders: Readers = (process, chain, gate) =>
  gate.providersOf(chain).map((provider) => new PlainReader(provider, process, gate));

const rules: Readonly<Record<ChainFamily, (definition: ChainDefinition) => ChainRules>> = {
  evm: ({ currencies }) => evmRules(currencies),
  tron: ({ name, currencies }) => plainRules(name, currencies[0]?.currencyId ?? 0),
};

export function readerOf(process: SimProcess, chain: SimChain, gate: ChainGate, world: World): ChainReader {
  const { definition } = chain;
  const readers = chain.isPlain ? plainReaders : evmReaders;
  return createQuorumReader({ definition, readers: readers(process, chain, gate, world), world });
}

export function rulesOf(definition: ChainDefinition): ChainRules {
  return rules[definition.family](definition);
}
