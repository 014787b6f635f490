// Which currencies may be offered: tokens only once the chain itself has confirmed contract and decimals.
import { isMainCurrency } from '@ducat/core/chain/currency';
import type { ChainPort } from './chains/port.ts';
import type { Log } from './log.ts';
import { Outage } from './outage.ts';
import type { World } from './world.ts';

const RETRY_MS = 5_000;

export interface CurrencyCheck {
  /** A main currency needs no proof; a token is on once it was checked and matched. */
  readonly isOn: (currencyId: number) => boolean;
  /** Checks one chain, again and again while it cannot be asked. */
  readonly run: (chain: ChainPort, signal: AbortSignal) => Promise<void>;
}

/** A mismatch switches that currency off and says so; it stays off until the next start. */
export function createCurrencyCheck(chains: readonly ChainPort[], world: World, log: Log): CurrencyCheck {
  const enabled = chains.flatMap(({ definition }) =>
    definition.currencies.filter((currency) => currency.enabled),
  );
  const on = new Set(enabled.filter(isMainCurrency).map((currency) => currency.currencyId));
  return {
    isOn: (currencyId) => on.has(currencyId),
    run: async (chain, signal) => {
      const tokens = chain.definition.currencies.filter(
        (currency) => currency.enabled && !isMainCurrency(currency),
      );
      while (!signal.aborted) {
        try {
          const mismatches = await chain.checkCurrencies(tokens);
          for (const mismatch of mismatches) {
            log.error(
              { chain: chain.definition.name, ...mismatch },
              'currency is off: it is not what the chain says',
            );
          }
          const wrong = new Set(mismatches.map(({ currencyId }) => currencyId));
          for (const { currencyId } of tokens) if (!wrong.has(currencyId)) on.add(currencyId);
          return;
        } catch (error) {
          if (!(error instanceof Outage)) throw error;
          log.warn(
            { chain: chain.definition.name, error },
            'tokens are off until the chain has confirmed them',
          );
          await world.sleep(RETRY_MS, signal);
        }
      }
    },
  };
}
