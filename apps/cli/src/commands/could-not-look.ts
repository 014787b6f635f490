// The end of commands that could not compare the books, as distinct from a difference.
import { ConfigError } from '@ducat/gateway/config/config-error';
import { Outage } from '@ducat/gateway/runtime/outage';
import { CommandError } from '../command-error.ts';

/** The exit code of a comparison that saw nothing wrong, but not everything. */
export const COULD_NOT_LOOK = 3;

/**
 * Turns an error of configuration or database into exit code 3, because it says nothing about the books. Rethrows other
 * errors.
 */
export function couldNotLook(error: unknown): never {
  if (!(error instanceof CommandError || error instanceof ConfigError || error instanceof Outage))
    throw error;
  throw new CommandError(error.message, { exitCode: COULD_NOT_LOOK, cause: error.cause });
}
