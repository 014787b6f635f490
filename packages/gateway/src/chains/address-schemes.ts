// The address rules of every chain family; pure, so that code which needs them need not know any adapter.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { evmAddressScheme } from './evm/address.ts';
import type { AddressScheme } from './port/address-scheme.ts';
import { tronAddressScheme } from './tron/wire/address.ts';

export const addressSchemes: Readonly<Record<ChainFamily, AddressScheme>> = {
  evm: evmAddressScheme,
  tron: tronAddressScheme,
};
