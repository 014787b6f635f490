// Asks the providers of each chain for the fee of a payout from the wallet that would pay it.
import type { Config } from '../../config/load-config.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { readPayingWallet } from '../../db/tables/addresses.ts';
import type { NetworkFees } from '../../roles/api/payouts/network-fees.ts';
import { Outage } from '../../runtime/outage.ts';
import { openChainWriter, type OpenChain } from '../open-chain.ts';

/** By the name of the chain, for every chain that is on. Opens no connection yet. */
export function createNetworkFees(
  { chains }: Pick<Config, 'chains'>,
  reader: Reader,
  openWith: (chain: string) => OpenChain,
): ReadonlyMap<string, NetworkFees> {
  return new Map(
    chains.map((configured) => {
      const { name, family } = configured.definition;
      const writer = openChainWriter(configured, openWith(name));
      const estimate: NetworkFees['estimate'] = async ({ appId, ...transfer }) => {
        const from = await readPayingWallet(reader, family, appId);
        if (from === null) throw new Outage(`there is no wallet that pays on ${name}`);
        return writer.estimate({ from, ...transfer });
      };
      return [name, { estimate }] as const;
    }),
  );
}
