// Estimates the network fee of a payout, as the API asks for it: from the wallet that would pay.
import { WALLET_INDEX } from '@ducat/core/signing/key-path';
import type { NetworkFees } from '@ducat/gateway/roles/api/payouts/network-fees';
import type { World } from '@ducat/gateway/runtime/world';
import { type Setup, simAddress } from '../actors/setup.ts';
import type { ChainGate } from '../nodes/chain-gate.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Outgoing } from './outgoing.ts';
import type { SimProcess } from '../world/sim-process.ts';

interface Paid {
  readonly outgoing: Outgoing | null;
  readonly setup: Setup;
  readonly chains: readonly SimChain[];
}

export function networkFeesOf(
  { outgoing, setup, chains }: Paid,
  gate: ChainGate,
  process: SimProcess,
  world: World,
): ReadonlyMap<string, NetworkFees> {
  if (outgoing === null) return new Map();
  return new Map(
    chains.map((chain) => {
      const { name, family } = chain.definition;
      const writer = outgoing.writerOf(process, chain, gate, world);
      const estimate: NetworkFees['estimate'] = async ({ appId, ...transfer }) => {
        const key = setup.apps.find((one) => one.appId === appId)?.accountPublicKey ?? '';
        return writer.estimate({ from: simAddress(family, key, WALLET_INDEX, 'wallet'), ...transfer });
      };
      return [name, { estimate }] as const;
    }),
  );
}
