// Reads the stakes that the configuration names, through the nodes of their chains.
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import type { ConfiguredChain } from '../../config/chains.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { readStakeLook } from '../../roles/collector/stake/stake-look.ts';
import type { World } from '../../runtime/world.ts';
import { openChainWriter } from '../open-chain.ts';

interface StakeLookParts {
  readonly chains: readonly ConfiguredChain[];
  readonly reader: Reader;
  readonly world: World;
}

/** Takes the name of a chain; null where the chain has no stake. Throws Outage. */
export function createStakeLooks({
  chains,
  reader,
  world,
}: StakeLookParts): (chain: string) => Promise<StakeLook | null> {
  const stakes = new Map(
    chains.flatMap((chain) => {
      const staker = chain.collection?.staker ?? null;
      if (staker === null) return [];
      const writer = openChainWriter(chain, { world });
      return [[chain.definition.name, { staker, writer, reader }] as const];
    }),
  );
  return async (chain) => {
    const parts = stakes.get(chain);
    return parts === undefined ? null : readStakeLook({ ...parts, nowMs: world.nowMs() });
  };
}
