// The address rules of the simulated families: cheap to derive, and easy to distinguish.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { AddressScheme } from '@ducat/gateway/chains/port/address-scheme';
import { simAddress } from '../actors/setup.ts';

function schemeOf(family: ChainFamily): AddressScheme {
  return {
    derive: (key, index, branch) => simAddress(family, key, index, branch),
    canonical: (text) => text,
    display: (text) => text,
  };
}

export const addressSchemes: Readonly<Record<ChainFamily, AddressScheme>> = {
  evm: schemeOf('evm'),
  tron: schemeOf('tron'),
};
