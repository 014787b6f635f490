// A chain that is on, as a person types its name.
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import type { Config } from '@ducat/gateway/config/load-config';
import { CommandError } from '../command-error.ts';

/** The case of letters does not matter. Throws a CommandError that names the chains that are on. */
export function findChain({ chains }: Pick<Config, 'chains'>, typed: string): ConfiguredChain {
  const found = chains.find(({ definition }) => definition.name.toLowerCase() === typed.toLowerCase());
  if (found !== undefined) return found;
  const names = chains.map(({ definition }) => definition.name).join(', ');
  throw new CommandError(`there is no chain ${typed}; configured are ${names}`);
}
