// How events are written, made once for whoever runs flows that write them.
import { wireChainId } from '@ducat/core/chain/chain';
import type { Config } from '../config/load-config.ts';
import type { EventWriting } from '../db/tables/deliveries/event-row.ts';
import { createPaymentEventEncoder } from '../roles/notifier/encode-payment-event.ts';
import { createEventIds } from '../runtime/ids.ts';
import type { World } from '../runtime/world.ts';

/** Orders of a chain that was switched off can still change, and what was written for them is still sent. */
export function createEventWriting(
  { chains, chainsOff }: Pick<Config, 'chains' | 'chainsOff'>,
  world: World,
): Omit<EventWriting, 'nowMs'> {
  const definitions = [...chains.map(({ definition }) => definition), ...chainsOff];
  const known = definitions.flatMap((chain) =>
    chain.currencies.map(
      ({ currencyId, decimals }) => [currencyId, { decimals, chainId: wireChainId(chain) }] as const,
    ),
  );
  return {
    encode: createPaymentEventEncoder(new Map(known)),
    newEventId: createEventIds(world),
  };
}
