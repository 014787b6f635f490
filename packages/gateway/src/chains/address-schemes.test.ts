// Each token of the catalogue stands at the address that people know: its checksum holds, and both forms are one address.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { describe, expect, it } from 'vitest';
import { addressSchemes } from './address-schemes.ts';
import { tokenContracts } from '@ducat/testkit/chains/token-contracts';

const tokens = chainDefinitions.flatMap(({ family, currencies }) =>
  currencies.flatMap(({ currencyId, symbol, contract }) =>
    contract === null ? [] : [{ family, currencyId, symbol, contract }],
  ),
);

describe('the contracts of the catalogue', () => {
  it.each(tokens)('$currencyId $symbol', ({ family, currencyId, contract }) => {
    const shown = tokenContracts[currencyId] ?? '';
    const scheme = addressSchemes[family];
    // A mistyped letter breaks the checksum, and then this is null.
    expect(scheme.canonical(shown)).toBe(contract);
    expect(scheme.display(contract)).toBe(shown);
  });

  it('are all there is', () => {
    expect(Object.keys(tokenContracts).map(Number)).toEqual(tokens.map(({ currencyId }) => currencyId));
    expect(tokens.length).toBeGreaterThanOrEqual(108);
  });
});
