// One entry of the catalogue on one line: a token with its number, contract and digits, and what is odd about it.
import type { CurrencyId } from '../../money/amount.ts';
import type { Currency } from '../currency.ts';

interface Odd {
  /** Why it is off unless the operator switches it on. */
  readonly off?: string;
  /** Its own name among the rate assets, where its symbol names something else. */
  readonly rateAsset?: string;
}

/** `contract` in the family's canonical text. */
export function token(
  currencyId: CurrencyId,
  symbol: string,
  contract: string,
  decimals: number,
  displayDecimals: number,
  { off, rateAsset }: Odd = {},
): Currency {
  return {
    currencyId,
    symbol,
    contract,
    decimals,
    displayDecimals,
    enabled: off === undefined,
    ...(off === undefined ? {} : { offReason: off }),
    ...(rateAsset === undefined ? {} : { rateAsset }),
  };
}
