// A machine of the run: one program and all that it starts, in a process namespace of its own, so that they end as one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs';
import type { Reaper } from '../processes/reaper.ts';
import type { InstalledPatroni } from './installed.ts';

export interface MachineOptions {
  readonly programs: InstalledPatroni;
  readonly command: readonly string[];
  /** The machine's disk: a folder that is created, with `machine.log` in it. */
  readonly folder: string;
  readonly reaper: Reaper;
}

const USER = 'postgres';

export class Machine {
  readonly #options: MachineOptions;
  #child: ChildProcess | null = null;

  constructor(options: MachineOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const { status, stderr } = spawnSync('chown', [`${USER}:`, options.folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`a folder cannot be handed to the user ${USER}: ${stderr.trim()}`);
  }

  get isOn(): boolean {
    return this.#child !== null;
  }

  /** The end of the machine's log, for finding out why nothing goes on. */
  lastWords(): string {
    return readFileSync(this.#logFile, 'utf8').slice(-12_000);
  }

  start(): void {
    const { programs, command, folder, reaper } = this.#options;
    const log = openSync(this.#logFile, 'a', 0o600);
    const apart = ['--mount', '--pid', '--fork', '--mount-proc'];
    // When the first process of a PID namespace ends, all others in it end, too. So this one has to end with unshare.
    // A death signal that unshare sets is cleared when the user changes, so setpriv sets it.
    const user = [
      programs.setpriv,
      `--reuid=${USER}`,
      `--regid=${USER}`,
      '--init-groups',
      '--pdeathsig=KILL',
    ];
    const child = spawn(programs.unshare, [...apart, ...user, ...command], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    const { pid } = child;
    if (pid === undefined) throw new Error(`${command[0]} cannot be started`);
    reaper.born(pid);
    child.once('exit', () => {
      reaper.gone(pid);
      if (this.#child === child) this.#child = null;
    });
  }

  /** As by a power cut: no process of the machine runs any more once this resolves. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const all = this.#processes();
    child.kill('SIGKILL');
    // SIGKILL also ends processes that SIGSTOP has stopped.
    for (const pid of all) signal(pid, 'SIGKILL');
    await ended;
  }

  /** kill -9 of one program with all its processes; the rest of the machine goes on. */
  killProgram(name: string): void {
    for (const pid of this.#processes()) if (nameOf(pid) === name) signal(pid, 'SIGKILL');
  }

  /** Stops every process of the machine, as when its host is suspended. */
  freeze(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGSTOP');
  }

  /** Lets every process go on in the middle of what it was about to do. */
  thaw(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGCONT');
  }

  get #logFile(): string {
    return `${this.#options.folder}/machine.log`;
  }

  /** All processes under unshare. Orphans are among them, because the first process of the namespace adopts them. */
  #processes(): readonly number[] {
    const found = this.#child?.pid === undefined ? [] : [this.#child.pid];
    const parents = readParents();
    for (const parent of found) for (const [pid, of] of parents) if (of === parent) found.push(pid);
    return found.slice(1);
  }
}

/** The parent of each process of this system. */
function readParents(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in brackets may hold spaces; behind it stand the state and the parent.
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parents.set(Number(name), Number(parent));
    } catch {
      // The process ended in between.
    }
  }
  return parents;
}

function nameOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended in between.
  }
}
