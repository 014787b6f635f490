// The gateway as a process: reads the configuration, starts, says where it listens, and ends cleanly.
import { parseArgs } from 'node:util';
import { ConfigError } from './config/config-error.ts';
import { Outage } from './runtime/outage.ts';

/** Longer than the notifier waits for its attempts; after this the process ends whatever is still open. */
const STOP_WITHIN_MS = 20_000;

// ~ tour 1/15: the process begins here, and a payment's whole way with it.
// → packages/gateway/src/compose/gateway.ts
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { config: { type: 'string', default: 'ducat.toml' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(
      'Usage: main.js [--config ducat.toml]\n\nRuns the roles that the configuration names.\n',
    );
    return;
  }
  // Loaded only now: all of it takes seconds, and neither the help nor a misspelled option needs it.
  const { loadConfig } = await import('./config/load-config.ts');
  const config = loadConfig(values.config, process.env);
  const { createLog } = await import('./runtime/log.ts');
  const { startGateway } = await import('./compose/gateway.ts');
  const log = createLog(config.logLevel);
  const gateway = await startGateway(config, log);
  if (config.demo) log.warn({ demo: true }, 'demo: secrets are weak and rates are made up');
  const { apiUrl, pagesUrl, dashboardUrl, operationsUrl } = gateway;
  log.info({ apiUrl, pagesUrl, dashboardUrl, operationsUrl, roles: config.roles }, 'ready');

  const stopSignal = new Promise<null>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(null));
  });
  const failure = await Promise.race([gateway.failed, stopSignal]);
  if (failure !== null) log.error({ error: failure }, 'a role failed, the gateway ends');
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  await gateway.stop();
  log.info({}, 'stopped');
  // Connections to a database that hangs would keep the process.
  process.exit(failure === null ? 0 : 1);
}

main().catch((error: unknown) => {
  // What the operator can mend is said without a stack.
  const isExpected = error instanceof ConfigError || error instanceof Outage || isWrongOption(error);
  const message = !(error instanceof Error) ? String(error) : isExpected ? error.message : error.stack;
  process.stderr.write(`ducat gateway: ${message}\n`);
  process.exit(1);
});

function isWrongOption(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
