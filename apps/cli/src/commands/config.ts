// ducat config: checks whether the gateway would start with a configuration, before it has to.
import { Command } from 'commander';
import { loadConfig } from '@ducat/gateway/config/load-config';
import { configWarnings } from '@ducat/gateway/config/warnings';

/** The commands, to be added to the program. */
export function configCommand(): Command {
  const check = new Command('check')
    .description('read a configuration as the gateway would; nothing is connected to')
    .requiredOption('--config <file>', 'the configuration')
    .action(checkIt);
  return new Command('config').description('look at configurations').addCommand(check);
}

/** A mistake is thrown as ConfigError, which ends the program with exit code 1. */
function checkIt({ config: file }: { readonly config: string }): void {
  const config = loadConfig(file, process.env);
  const chains = config.chains.map(({ definition }) => definition.name);
  const lines = [
    `${file} is right.`,
    `Roles: ${config.roles.join(', ')}.`,
    `Chains that are on: ${chains.length === 0 ? 'none' : chains.join(', ')}.`,
    ...configWarnings(config).map((warning) => `Weak: ${warning}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
