// The chains of a run: by their family's own rules, or where money is paid out, by rules that take our transactions.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Setup } from '../actors/setup.ts';
import { FeeMarket } from '../outgoing/chain/fee-market.ts';
import { sendingRules } from '../outgoing/chain/sending-rules.ts';
import { Chance } from '../world/chance.ts';
import { STORY_START_MS } from '../world/trace.ts';
import { rulesOf } from './reader-of.ts';
import type { ChainRules } from './sim-block.ts';
import { SimChain } from './sim-chain.ts';

export function marketsOf({ chains }: Setup): ReadonlyMap<string, FeeMarket> {
  return new Map(chains.map(({ definition }) => [definition.name, new FeeMarket(definition.family)]));
}

/** `markets` is null where nothing is paid out. */
export function makeChains(
  seed: number,
  setup: Setup,
  markets: ReadonlyMap<string, FeeMarket> | null,
): readonly SimChain[] {
  return setup.chains.map(
    ({ definition, finalityBlocks }, place) =>
      new SimChain({
        definition,
        finalityBlocks,
        rules: rulesFor(definition, markets?.get(definition.name) ?? null),
        startTime: STORY_START_MS / 1000 - 1,
        chance: new Chance(seed, `chain-${place}`),
      }),
  );
}

function rulesFor(definition: ChainDefinition, market: FeeMarket | null): ChainRules {
  return market === null ? rulesOf(definition) : sendingRules(definition, market);
}
