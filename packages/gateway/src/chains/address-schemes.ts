// The address rules of every chain family. They are pure, so code that uses them depends on no adapter.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { evmAddressScheme } from './evm/address.ts';
import type { AddressScheme } from './port/address-scheme.ts';
import { tronAddressScheme } from './tron/wire/address.ts';

export const addressSchemes: Readonly<Record<ChainFamily, AddressScheme>> = {
  evm: evmAddressScheme,
  tron: tronAddressScheme,
};
