// The gateway of the demo: its process, whether it is ready, and a limited number of restarts after crashes.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gatewayNodeOptions } from '@ducat/gateway/runtime/node-options';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { CommandError } from '../../command-error.ts';
import type { Ports } from '../../state/ports.ts';
import type { ProcessRecord } from '../../state/process-record.ts';
import type { StatePaths } from '../../state/state-paths.ts';
import { type Child, startChild } from '../child.ts';

export interface Gateway {
  /** Resolves when the gateway has crashed more often than it is restarted. Never resolves after `stop`. */
  readonly gaveUp: Promise<string>;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly paths: StatePaths;
  readonly ports: Ports;
  readonly record: ProcessRecord;
  /** The process that `loadGateway` has made. */
  readonly loaded: Child;
  /** Called with a line for the person when the gateway has crashed and when it is back. */
  readonly report: (line: string) => void;
}

/** The pauses before each restart. After as many crashes the gateway is given up. */
const BACK_OFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
/** A gateway that ran this long counts as healthy, and the count of crashes begins again. */
const HEALTHY_MS = 60_000;
/** Long, because catching up with the chains after a long pause takes time. */
const READY_TIMEOUT_MS = 180_000;

/** Starts the gateway and returns once it reports that it is ready. Its configuration has to be written by now. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  let current = options.loaded;
  current.begin();
  await waitUntilReady(current, options.ports);
  let stopping = false;
  const cancel = new AbortController();
  const supervise = async (): Promise<string> => {
    for (let crashes = 0; ; crashes += 1) {
      const startedMs = performance.now();
      const reason = await current.ended;
      if (stopping) return never();
      if (performance.now() - startedMs > HEALTHY_MS) crashes = 0;
      const pauseMs = BACK_OFF_MS[crashes];
      if (pauseMs === undefined) return `${reason}\n${current.lastWords()}`;
      options.report(`The gateway ended (${reason}). It is started again in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, cancel.signal);
      if (stopping) return never();
      current = loadGateway(options);
      current.begin();
      // This only reports that the gateway is back. The next round of the loop notices where it ends again.
      void waitUntilReady(current, options.ports).then(
        () => options.report('The gateway is back.'),
        () => undefined,
      );
    }
  };
  return {
    gaveUp: supervise(),
    stop: async () => {
      stopping = true;
      cancel.abort();
      await current.stop();
    },
  };
}

/** Makes the gateway's process. It loads its modules and waits for `begin`. */
export function loadGateway({ paths, record }: Pick<GatewayOptions, 'paths' | 'record'>): Child {
  // The demo's configuration alone decides. A master secret or database in the shell's environment must not replace the
  // demo's.
  const { DUCAT_MASTER_SECRET: _unused, DATABASE_URL: _alsoUnused, ...environment } = process.env;
  return startChild({
    name: 'gateway',
    script: fileURLToPath(import.meta.resolve('ducat/bundle/gateway-ahead')),
    args: ['--config', paths.config],
    // The shell's options come last, so that they take precedence.
    environment: {
      ...environment,
      NODE_OPTIONS: `${gatewayNodeOptions} ${environment['NODE_OPTIONS'] ?? ''}`,
    },
    logFile: join(paths.logs, 'gateway.log'),
    record,
    waits: true,
    stopTimeoutMs: 20_000,
  });
}

async function waitUntilReady(child: Child, ports: Ports): Promise<void> {
  const isReady = async () => {
    if (child.hasEnded()) throw new CommandError(`the gateway ended at once:\n${child.lastWords()}`);
    return saysReady(`http://127.0.0.1:${ports.operations}/readyz`);
  };
  try {
    await waitUntil('the gateway to be ready', isReady, { timeoutMs: READY_TIMEOUT_MS });
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function saysReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function never(): Promise<string> {
  return new Promise(() => undefined);
}
