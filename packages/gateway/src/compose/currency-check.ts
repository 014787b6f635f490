// Which currencies may be offered: tokens once the chain has confirmed their contract, coins until the chain contradicts.
import { type Currency, isNativeCurrency } from '@ducat/core/chain/currency';
import type { ChainReader } from '../chains/port/reader.ts';
import type { Log } from '../runtime/log.ts';
import { Outage } from '../runtime/outage.ts';
import type { World } from '../runtime/world.ts';

/** The backoff after a failed request: doubles with each failure, from the first pause up to the longest. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Confirmed tokens are on at once, so the first tokens of a long list need not wait for the last. */
const TOKENS_AT_ONCE = 10;

/** The part of a chain's reader that the check uses. */
export type CheckedChain = Pick<ChainReader, 'definition' | 'checkCurrencies'>;

export interface CurrencyCheck {
  /** A native currency is on until the chain contradicts it; a token is on once it was checked and matched. */
  readonly isOn: (currencyId: number) => boolean;
  /** Whether the chain has not answered about this token yet, so that the token may be switched on at any moment. */
  readonly isUnasked: (currencyId: number) => boolean;
  /** Checks the tokens of one chain, a few at a time. Retries while the chain cannot be asked. */
  readonly run: (chain: CheckedChain, signal: AbortSignal) => Promise<void>;
}

/** A mismatch is logged and switches the currency off until the next start. */
export function createCurrencyCheck(chains: readonly CheckedChain[], world: World, log: Log): CurrencyCheck {
  const enabled = chains.flatMap(({ definition }) =>
    definition.currencies.filter((currency) => currency.enabled),
  );
  const on = new Set(enabled.filter(isNativeCurrency).map((currency) => currency.currencyId));
  const unasked = new Set(enabled.map(({ currencyId }) => currencyId).filter((id) => !on.has(id)));
  return {
    isOn: (currencyId) => on.has(currencyId),
    isUnasked: (currencyId) => unasked.has(currencyId),
    run: async (chain, signal) => {
      const { name, currencies } = chain.definition;
      const waiting = inParts(
        currencies.filter((currency) => currency.enabled),
        TOKENS_AT_ONCE,
      );
      let failures = 0;
      let logged = '';
      for (let part = waiting.shift(); part !== undefined && !signal.aborted; part = waiting.shift()) {
        try {
          const mismatches = await chain.checkCurrencies(part);
          for (const mismatch of mismatches) {
            log.error({ chain: name, ...mismatch }, 'currency is off: it is not what the chain says');
          }
          const wrong = new Set(mismatches.map(({ currencyId }) => currencyId));
          for (const { currencyId } of part) {
            unasked.delete(currencyId);
            if (wrong.has(currencyId)) on.delete(currencyId);
            else on.add(currencyId);
          }
          failures = 0;
        } catch (error) {
          if (!(error instanceof Outage)) throw error;
          // The failed tokens are retried one by one after all others, so that one failing token does not delay another.
          waiting.push(...inParts(part, 1));
          // A repeated error is logged once.
          if (logged !== error.message)
            log.warn({ chain: name, error }, 'tokens are off until the chain has confirmed them');
          logged = error.message;
          await world.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10)), signal);
          failures += 1;
        }
      }
      if (logged !== '' && !signal.aborted)
        log.info({ chain: name }, 'the chain was asked about every token');
    },
  };
}

function inParts(tokens: readonly Currency[], size: number): (readonly Currency[])[] {
  const count = Math.ceil(tokens.length / size);
  return Array.from({ length: count }, (_, part) => tokens.slice(part * size, (part + 1) * size));
}
