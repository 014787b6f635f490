// Starts the demo: cleans up after earlier starts, lets the gateway load its modules, and opens the parts meanwhile.
import { type DemoRecord, forgetDemo } from '../state/demo-record.ts';
import type { PortName } from '../state/ports.ts';
import { endOrphans, openProcessRecord } from '../state/process-record.ts';
import type { StatePaths } from '../state/state-paths.ts';
import { loadGateway } from './gateway/gateway-process.ts';
import type { Progress } from './progress.ts';
import type { RunningParts } from './running-parts.ts';
import { ensureSecrets } from './secrets.ts';

export interface StartDemo {
  readonly paths: StatePaths;
  readonly ports: Readonly<Partial<Record<PortName, number>>>;
  /** The configured port. Without one, PostgreSQL finds a free port by itself, which only the gateway has to know. */
  readonly postgresPort: number | undefined;
  /** Replaces the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** True where no login is made, and a person sets the dashboard up by a link. */
  readonly isSetUp: boolean;
  readonly parts: RunningParts;
  readonly progress: Progress;
}

export interface RunningDemo {
  readonly record: DemoRecord;
  /** Null where the demo has accounts. */
  readonly setupLink: string | null;
  /** Resolves with a text when a part that has to run has ended by itself. */
  readonly broken: Promise<string>;
}

/** Starts everything. `parts` always holds the running parts, so that a failure half way can be undone. */
export async function startDemo(start: StartDemo): Promise<RunningDemo> {
  const { paths, parts, progress } = start;
  const secrets = ensureSecrets(paths);
  forgetDemo(paths);
  for (const orphan of await endOrphans(paths.processes)) {
    progress.note(`ended the ${orphan.name} that an earlier start left behind (process ${orphan.pid})`);
  }
  const record = openProcessRecord(paths.processes);
  parts.add('the record of processes', async () => record.clear());
  const loaded = loadGateway({ paths, record });
  parts.add('the process of the gateway', () => loaded.stop());
  // Loaded only now, beside the modules of the gateway: either takes more than a second.
  const { openDemo } = await import('./open-demo.ts');
  return openDemo({ ...start, secrets, record, loaded });
}
