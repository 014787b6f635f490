// How commands that compare the books end where they could not look: not like a difference.
import { ConfigError } from '@ducat/gateway/config/config-error';
import { Outage } from '@ducat/gateway/runtime/outage';
import { CommandError } from '../command-error.ts';

/** The exit code of a comparison that saw nothing wrong, but not everything. */
export const COULD_NOT_LOOK = 3;

/** No configuration and no database say nothing of the books. */
export function couldNotLook(error: unknown): never {
  if (!(error instanceof CommandError || error instanceof ConfigError || error instanceof Outage))
    throw error;
  throw new CommandError(error.message, { exitCode: COULD_NOT_LOOK, cause: error.cause });
}
