// Chooses the ports of the demo once and remembers them, so that a restart keeps its addresses where possible.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { CommandError } from '../command-error.ts';
import { readJson, writePrivateFile } from './private-file.ts';

export const portNames = [
  'api',
  'pages',
  'dashboard',
  'operations',
  'ETH',
  'BSC',
  'WKC',
  'Tron',
  'faucet',
  'listener',
] as const;

export type PortName = (typeof portNames)[number];

export type Ports = Readonly<Record<PortName, number>>;

/** Below the range that systems use for outgoing connections, so that no connection takes a port by accident. */
const LOWEST = 20_000;
const HIGHEST = 29_999;
const MAX_TRIES = 200;

export interface ChosenPorts {
  readonly ports: Ports;
  /** Remembered ports that another program uses now. */
  readonly moved: readonly PortName[];
}

/**
 * Configured ports must be free. Remembered ports are used where they are free. Other ports are chosen at random. The
 * listener's port belongs to `ducat listen`, which may be running now, so it is kept in any case.
 */
export async function choosePorts(
  path: string,
  configured: Readonly<Partial<Record<PortName, number>>>,
): Promise<ChosenPorts> {
  const remembered = readPorts(path);
  const taken = new Set<number>(Object.values(configured));
  const moved: PortName[] = [];
  const chosen: [PortName, number][] = [];
  for (const name of portNames) {
    const port = configured[name] ?? (await rememberedPort(name, remembered[name], taken));
    if (configured[name] !== undefined) await mustBeFree(name, configured[name]);
    else if (port === undefined && remembered[name] !== undefined) moved.push(name);
    const final = port ?? (await chancePort(taken));
    taken.add(final);
    chosen.push([name, final]);
  }
  // The loop above has set every name.
  const ports = Object.fromEntries(chosen) as Record<PortName, number>;
  writePrivateFile(path, `${JSON.stringify(ports, null, 2)}\n`);
  return { ports, moved };
}

/** Whether this loopback port is free now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function rememberedPort(
  name: PortName,
  port: number | undefined,
  taken: ReadonlySet<number>,
): Promise<number | undefined> {
  if (port === undefined || taken.has(port)) return undefined;
  return name === 'listener' || (await isPortFree(port)) ? port : undefined;
}

async function mustBeFree(name: PortName, port: number): Promise<void> {
  if (name === 'listener' || (await isPortFree(port))) return;
  throw new CommandError(`port ${port}, which was asked for as ${name} port, is taken by another program`);
}

async function chancePort(taken: ReadonlySet<number>): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (!taken.has(port) && (await isPortFree(port))) return port;
  }
  throw new CommandError(`no free port found between ${LOWEST} and ${HIGHEST}`);
}

function readPorts(path: string): Partial<Record<PortName, number>> {
  const value = readJson(path);
  if (typeof value !== 'object' || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  const known = portNames.flatMap((name): [PortName, number][] => {
    const port = fields.get(name);
    return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536
      ? [[name, port]]
      : [];
  });
  return Object.fromEntries(known);
}
