// Which currencies may be offered: tokens only once the chain itself has confirmed contract and decimals, the coin until it contradicts.
import { type Currency, isNativeCurrency } from '@ducat/core/chain/currency';
import type { ChainReader } from '../chains/port/reader.ts';
import type { Log } from '../runtime/log.ts';
import { Outage } from '../runtime/outage.ts';
import type { World } from '../runtime/world.ts';

/** The pause after a request that failed, twice as long after each that follows, up to the longest. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** What was confirmed so far is on, so the first tokens of a long list need not wait for the last. */
const TOKENS_AT_ONCE = 10;

/** What is asked of a chain. */
export type CheckedChain = Pick<ChainReader, 'definition' | 'checkCurrencies'>;

export interface CurrencyCheck {
  /** A native currency is on until the chain contradicts it; a token is on once it was checked and matched. */
  readonly isOn: (currencyId: number) => boolean;
  /** Whether the chain was not asked about this token yet, or not answered: it may come on at any moment. */
  readonly isUnasked: (currencyId: number) => boolean;
  /** Checks one chain a few tokens at a time, again and again while it cannot be asked. */
  readonly run: (chain: CheckedChain, signal: AbortSignal) => Promise<void>;
}

/** A mismatch switches that currency off and says so; it stays off until the next start. */
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
          // Each alone and after the others, so that one token that cannot be asked keeps no other waiting.
          waiting.push(...inParts(part, 1));
          // The same trouble is worth one line, however often it comes.
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
