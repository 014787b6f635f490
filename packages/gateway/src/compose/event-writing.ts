// How events are written, made once for whoever runs flows that write them.
import { wireChainId } from '@ducat/core/chain/chain';
import { addressSchemes } from '../chains/address-schemes.ts';
import type { Config } from '../config/load-config.ts';
import type { EventWriting } from '../db/tables/deliveries/event-row.ts';
import type { PayoutEventWriting } from '../db/tables/deliveries/payout-event-row.ts';
import { createPaymentEventEncoder } from '../roles/notifier/encode-payment-event.ts';
import { createTransferEventEncoder } from '../roles/notifier/encode-transfer-event.ts';
import { createEventIds } from '../runtime/ids.ts';
import type { World } from '../runtime/world.ts';

/** Orders of a chain that was switched off can still change, and what was written for them is still sent. */
export function createEventWriting(
  { chains, chainsOff }: Pick<Config, 'chains' | 'chainsOff'>,
  world: World,
): Omit<EventWriting & PayoutEventWriting, 'nowMs'> {
  const definitions = [...chains.map(({ definition }) => definition), ...chainsOff];
  const known = definitions.flatMap((chain) =>
    chain.currencies.map(
      ({ currencyId, decimals, contract, symbol }) =>
        [
          currencyId,
          {
            decimals,
            chainId: wireChainId(chain),
            contract: contract === null ? symbol : addressSchemes[chain.family].display(contract),
          },
        ] as const,
    ),
  );
  return {
    encode: createPaymentEventEncoder(new Map(known)),
    encodeTransfer: createTransferEventEncoder(new Map(known)),
    newEventId: createEventIds(world),
  };
}
