// The program ducat-recover: trouble becomes one plain line and an exit code.
import { ConfigError } from '@ducat/gateway/config/config-error';
import { Outage } from '@ducat/gateway/runtime/outage';
import { realWorld } from '@ducat/gateway/runtime/world';
import { OperatorError } from '@ducat/signer/operator-error';
import { readArguments, usage } from './arguments.ts';
import { recover } from './recover.ts';
import { RecoverError } from './recover-error.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const args = readArguments(process.argv.slice(2));
  if (args.command === 'help') process.stdout.write(usage);
  else await recover(args, { world: realWorld, pause: (ms) => realWorld.sleep(ms), say });
} catch (error) {
  const isPlain = [RecoverError, OperatorError, ConfigError, Outage].some((kind) => error instanceof kind);
  // Only these messages are known to carry no secret.
  const message = isPlain && error instanceof Error ? error.message : 'this is a bug; nothing more is sent';
  process.stderr.write(`ducat-recover: ${message}\n`);
  process.exitCode = 1;
}
