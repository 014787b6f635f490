// Reads what was stored of an addition, held against the shape that the configuration file has.
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ConfigError } from '../config-error.ts';
import { type ChainConfig, chainSchema, type CurrencyConfig, currencySchema } from '../schema.ts';

/** A chain's section. Throws ConfigError. */
export function readSection(chain: string, text: string): ChainConfig {
  return checked(chain, chainSchema, text) as ChainConfig;
}

/** A token's entry. Throws ConfigError. */
export function readEntry(chain: string, text: string): CurrencyConfig {
  return checked(chain, currencySchema, text) as CurrencyConfig;
}

function checked(chain: string, schema: TSchema, text: string): unknown {
  const stored = parsed(text);
  if (Value.Check(schema, stored)) return stored;
  throw new ConfigError(`chains.${chain}: what was added on the dashboard has another form`);
}

/** Undefined, which fits no schema, where it is no JSON. The parser's message would quote what may hold a key. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
