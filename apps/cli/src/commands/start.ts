// ducat start: the whole demo, until Ctrl-C.
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../command-error.ts';
import { lineProgress } from '../start/progress.ts';
import { runningParts, type RunningParts } from '../start/running-parts.ts';
import { startDemo } from '../start/start-demo.ts';
import { welcomeText } from '../start/welcome.ts';
import { claimState } from '../state/claim-state.ts';
import { makePrivateFolder } from '../state/private-file.ts';
import type { PortName } from '../state/ports.ts';
import { type Palette, paletteFor } from '../terminal.ts';
import { pathsOf, stateFlag, type StateOptions, stateOption } from './state-option.ts';

interface StartOptions extends StateOptions {
  readonly apiPort?: number;
  readonly pagesPort?: number;
  readonly dashboardPort?: number;
  readonly operationsPort?: number;
  readonly postgresPort?: number;
  readonly ethPort?: number;
  readonly bscPort?: number;
  readonly wkcPort?: number;
  readonly faucetPort?: number;
  readonly listenerPort?: number;
  readonly setUp?: true;
}

/** The command, to be added to the program. */
export function startCommand(): Command {
  const command = new Command('start')
    .description('bring up the local demo: database, four chains, signer, gateway; Ctrl-C stops it')
    .addOption(stateOption())
    .option(
      '--set-up',
      'make no login: print the link by which a person sets the dashboard up, step by step',
    );
  for (const [name, what] of ports) {
    command.addOption(
      new Option(`--${name}-port <port>`, `port of the ${what}; a free one unless given`)
        .env(`DUCAT_${name.toUpperCase()}_PORT`)
        .argParser(portNumber),
    );
  }
  return command.action(start);
}

const ports = [
  ['api', 'merchant API'],
  ['pages', 'payment pages'],
  ['dashboard', 'dashboard'],
  ['operations', 'health and metrics'],
  ['postgres', 'database'],
  ['eth', 'local ETH chain'],
  ['bsc', 'local BSC chain'],
  ['wkc', 'local WKC chain'],
  ['faucet', 'faucet of the local chains'],
  ['listener', 'demo shop, where webhooks go'],
] as const;

async function start(options: StartOptions): Promise<void> {
  const paths = pathsOf(options);
  const palette = paletteFor(process.stdout);
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  makePrivateFolder(paths.folder);
  const release = claimState(paths);
  const parts = runningParts();
  parts.add('the claim on the state folder', async () => release());
  const stopping = new AbortController();
  const stopAsked = watchSignals(write, stopping);
  const progress = lineProgress(write, palette, stopping.signal);
  write(palette.dim(`Starting the local demo in ${paths.folder} (the first start takes a little longer)`));
  try {
    const databaseUrl = process.env.DATABASE_URL || undefined;
    const { postgresPort } = options;
    const starting = startDemo({
      paths,
      ports: portsOf(options),
      postgresPort,
      databaseUrl,
      isSetUp: options.setUp === true,
      parts,
      progress,
    });
    const demo = await Promise.race([starting, stopAsked]);
    if (demo === 'stop') {
      // The step under way has to end before it can be undone. No other step begins.
      await starting.catch(() => undefined);
      return;
    }
    const command = 'npx ducat';
    const dashboardPassword = readFileSync(paths.dashboardPassword, 'utf8').trim();
    const flags = stateFlag(paths);
    const { record, setupLink } = demo;
    write(welcomeText({ demo: record, setupLink, dashboardPassword, command, options: flags, palette }));
    const end = await Promise.race([stopAsked, demo.broken]);
    if (end !== 'stop') throw new CommandError(`${end}\nEverything is stopped now; what was done is kept.`);
  } finally {
    await stopEverything(parts, palette, write);
  }
}

async function stopEverything(
  parts: RunningParts,
  palette: Palette,
  write: (line: string) => void,
): Promise<void> {
  const visible = new Set(['gateway', 'signer', 'chains', 'PostgreSQL']);
  const troubles = await parts.stopAll((name) => {
    if (visible.has(name)) write(`  ${palette.dim('■')} ${name} stopped`);
  });
  for (const trouble of troubles) write(`  ${palette.red('✗')} ${trouble.message}: ${String(trouble.cause)}`);
  if (troubles.length > 0) process.exitCode = 1;
}

/** One Ctrl-C gives two signals under npm: one from the terminal and one from npm. */
const SAME_SIGNAL_MS = 2_000;

/** Resolves at the first signal to stop. A later signal, while parts are stopping, kills the process. */
function watchSignals(write: (line: string) => void, stopping: AbortController): Promise<'stop'> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const onSignal = () => {
      if (firstMs === undefined) {
        firstMs = performance.now();
        write('\nStopping. Please wait a moment.');
        stopping.abort();
        resolve('stop');
      } else if (performance.now() - firstMs > SAME_SIGNAL_MS) {
        write('Ending hard. The next start picks everything up.');
        process.exit(1);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}

function portsOf(options: StartOptions): Partial<Record<PortName, number>> {
  const given = {
    api: options.apiPort,
    pages: options.pagesPort,
    dashboard: options.dashboardPort,
    operations: options.operationsPort,
    ETH: options.ethPort,
    BSC: options.bscPort,
    WKC: options.wkcPort,
    faucet: options.faucetPort,
    listener: options.listenerPort,
  };
  return Object.fromEntries(Object.entries(given).filter(([, port]) => port !== undefined));
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('a port is 1 to 65535');
  return port;
}
