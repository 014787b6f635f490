// Makes the encoders and ids for events, once for all roles whose flows write events.
import { wireChainId } from '@ducat/core/chain/chain';
import { addressSchemes } from '../chains/address-schemes.ts';
import type { Config } from '../config/load-config.ts';
import type { EventWriting } from '../db/tables/deliveries/event-row.ts';
import type { PayoutEventWriting } from '../db/tables/deliveries/payout-event-row.ts';
import { createPaymentEventEncoder } from '../roles/notifier/encode-payment-event.ts';
import { createTransferEventEncoder } from '../roles/notifier/encode-transfer-event.ts';
import type { QrEventWriting } from '../db/tables/deliveries/qr-event-row.ts';
import { createQrPaymentEventEncoder } from '../roles/notifier/encode-qr-payment-event.ts';
import { createEventIds } from '../runtime/ids.ts';
import type { World } from '../runtime/world.ts';

/** Chains that are switched off are included, because their orders can still change and their events are still sent. */
export function createEventWriting(
  { chains, chainsOff }: Pick<Config, 'chains' | 'chainsOff'>,
  world: World,
): Omit<EventWriting & PayoutEventWriting & QrEventWriting, 'nowMs'> {
  const definitions = [...chains.map(({ definition }) => definition), ...chainsOff];
  const known = new Map(
    definitions.flatMap((chain) => {
      const display = (address: string) => addressSchemes[chain.family].display(address);
      return chain.currencies.map(({ currencyId, decimals, contract, symbol }) => {
        const shown = contract === null ? symbol : display(contract);
        return [currencyId, { decimals, chainId: wireChainId(chain), contract: shown, display }] as const;
      });
    }),
  );
  return {
    encode: createPaymentEventEncoder(known),
    encodeTransfer: createTransferEventEncoder(known),
    encodeQrPayment: createQrPaymentEventEncoder(known),
    newEventId: createEventIds(world),
  };
}
