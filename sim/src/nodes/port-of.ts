// A chain as one process reads it: production's adapter where there is one for simulated nodes.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { ChainPort } from '@ducat/gateway/chains/port';
import type { World } from '@ducat/gateway/runtime/world';
import type { SimChain } from './sim-chain.ts';
import type { SimProcess } from '../world/sim-process.ts';
import type { ChainGate } from './chain-gate.ts';
import { evmPort } from './evm-port.ts';
import { evmRules } from './evm-rules.ts';
import { plainPort } from './plain-port.ts';
import { plainRules } from './plain-rules.ts';
import type { ChainRules } from './sim-block.ts';
import type { ChainDefinition } from '@ducat/core/chain/chain';

const ports: Readonly<
  Record<ChainFamily, (process: SimProcess, chain: SimChain, gate: ChainGate, world: World) => ChainPort>
> = { evm: evmPort, tron: plainPort };

const rules: Readonly<Record<ChainFamily, (definition: ChainDefinition) => ChainRules>> = {
  evm: ({ currencies }) => evmRules(currencies),
  tron: ({ name }) => plainRules(name),
};

export function portOf(process: SimProcess, chain: SimChain, gate: ChainGate, world: World): ChainPort {
  return ports[chain.definition.family](process, chain, gate, world);
}

export function rulesOf(definition: ChainDefinition): ChainRules {
  return rules[definition.family](definition);
}
