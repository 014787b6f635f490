// Turns an error into words for the person at the terminal.
import { ConfigError } from '@ducat/gateway/config/config-error';
import { Outage } from '@ducat/gateway/runtime/outage';
import { ConnectionError, RefusalError } from '@ducat/sdk';
import { CommandError } from './command-error.ts';

/** An expected error is shown without a stack. Any other error is a bug, and shows where it happened. */
export function explain(error: unknown): { readonly message: string; readonly exitCode: number } {
  if (error instanceof CommandError) return { message: withCauses(error), exitCode: error.exitCode };
  if (error instanceof RefusalError) return { message: `the gateway refused: ${error.message}`, exitCode: 1 };
  if (error instanceof ConnectionError) {
    return { message: `${error.message} Is the demo running? Start it with: npm start`, exitCode: 1 };
  }
  if (error instanceof ConfigError || error instanceof Outage)
    return { message: withCauses(error), exitCode: 1 };
  if (error instanceof Error) {
    const stack =
      process.env.DUCAT_DEBUG === undefined ? '\n  (DUCAT_DEBUG=1 shows where)' : `\n${error.stack ?? ''}`;
    return { message: `${withCauses(error)}${stack}`, exitCode: 1 };
  }
  return { message: String(error), exitCode: 1 };
}

const MAX_CAUSES = 5;

/** The message and the messages of its causes, one below the other. */
function withCauses(error: Error): string {
  const lines = [error.message];
  let cause = error.cause;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    lines.push(`  because: ${cause.message}`);
    cause = cause.cause;
  }
  return lines.join('\n');
}
