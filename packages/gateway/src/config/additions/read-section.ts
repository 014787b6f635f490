// Parses the stored text of an addition and checks it against the schema of the configuration file.
import type { TSchema } from 'typebox';
import Schema from 'typebox/schema';
import { ConfigError } from '../config-error.ts';
import { type ChainConfig, chainSchema, type CurrencyConfig, currencySchema } from '../schema.ts';

/** Parses a chain's section. Throws ConfigError. */
export function readSection(chain: string, text: string): ChainConfig {
  return checked(chain, chainSchema, text) as ChainConfig;
}

/** Parses a token's entry. Throws ConfigError. */
export function readEntry(chain: string, text: string): CurrencyConfig {
  return checked(chain, currencySchema, text) as CurrencyConfig;
}

function checked(chain: string, schema: TSchema, text: string): unknown {
  const stored = parsed(text);
  if (Schema.Check(schema, stored)) return stored;
  throw new ConfigError(`chains.${chain}: what was added on the dashboard has another form`);
}

/** Undefined, which fits no schema, where the text is no JSON. The parser's error would quote text that may hold a key. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
