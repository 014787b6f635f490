// One gateway process with one role: started, killed, frozen, and started again as an operator's supervisor would.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Reaper } from './reaper.ts';

const program = fileURLToPath(import.meta.resolve('@ducat/gateway/main'));
const READY_WITHIN_MS = 90_000;
const KEPT_LINES = 40;
/** Warnings and errors that are kept apart, because other lines would push them out. */
const KEPT_TROUBLES = 8;

export type RoleName = 'api' | 'watcher' | 'notifier' | 'maintenance' | 'payer' | 'collector';

export interface RoleProcessOptions {
  readonly name: string;
  readonly role: RoleName;
  readonly configFile: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly reaper: Reaper;
  /** Called with each line of its log. */
  readonly onLog: (line: LogLine) => void;
  /** Called when it ends by itself after it was ready. */
  readonly onCollapse: (what: string) => void;
}

/** One line of a gateway's log, with the fields that the run reads. */
export interface LogLine {
  readonly level?: unknown;
  readonly msg?: unknown;
  readonly err?: { readonly message?: unknown };
  readonly apiUrl?: unknown;
  readonly holder?: unknown;
}

export class RoleProcess {
  readonly name: string;
  readonly role: RoleName;
  readonly #options: RoleProcessOptions;
  readonly #words: string[] = [];
  readonly #troubles: string[] = [];
  #child: ChildProcess | null = null;
  #ready: LogLine | null = null;
  #frozen = false;
  #holder: string | null = null;
  readonly #listeners = new Set<(text: string) => void>();

  constructor(options: RoleProcessOptions) {
    this.name = options.name;
    this.role = options.role;
    this.#options = options;
  }

  get isFrozen(): boolean {
    return this.#frozen;
  }

  /** Where the api listens; null for other roles. */
  get apiUrl(): string | null {
    return typeof this.#ready?.apiUrl === 'string' ? this.#ready.apiUrl : null;
  }

  /** The name of the process as a holder of leases; null before it held one. */
  get holder(): string | null {
    return this.#holder;
  }

  /** Calls `onText` with each line of the log as it is written. Returns a function that ends this. */
  listen(onText: (text: string) => void): () => void {
    this.#listeners.add(onText);
    return () => void this.#listeners.delete(onText);
  }

  /** The last lines of its output, after the last warnings and errors. */
  lastWords(lines: number): string {
    const last = this.#words.slice(-lines);
    return [...this.#troubles.filter((text) => !last.includes(text)), ...last].join('\n');
  }

  /** Starts the process, again and again while it cannot start, and returns once it logs that it is ready. */
  async start(): Promise<void> {
    const isReady = () => {
      if (this.#child === null) this.#spawn();
      return this.#ready !== null;
    };
    try {
      await waitUntil(`${this.name} to be ready`, isReady, { timeoutMs: READY_WITHIN_MS, everyMs: 20 });
    } catch (error) {
      throw new Error(`${this.name} does not start:\n${this.#words.join('\n')}`, { cause: error });
    }
  }

  /** kill -9, and resolves once it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    this.#frozen = false;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** SIGSTOP: the process keeps its leases and does nothing. The returned function says whether it is still frozen. */
  freeze(): () => boolean {
    const child = this.#child;
    this.#frozen = child?.kill('SIGSTOP') ?? false;
    return () => this.#frozen && this.#child === child;
  }

  /** SIGCONT: the process goes on in the middle of what it was about to do. */
  thaw(): void {
    if (!this.#frozen) return;
    this.#frozen = false;
    this.#child?.kill('SIGCONT');
  }

  #spawn(): void {
    const { configFile, environment, reaper, onLog, onCollapse, name } = this.#options;
    this.#ready = null;
    this.#holder = null;
    const child = spawn(process.execPath, [program, '--config', configFile], {
      env: environment,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const pid = child.pid ?? 0;
    if (pid !== 0) reaper.born(pid);
    createInterface({ input: child.stdout }).on('line', (text) => {
      this.#keep(text);
      const line = readLine(text);
      if (line.level === 'warn' || line.level === 'error') keep(this.#troubles, text, KEPT_TROUBLES);
      if (this.#child === child && line.msg === 'ready') this.#ready = line;
      if (this.#child === child && line.msg === 'holds a lease' && typeof line.holder === 'string')
        this.#holder = line.holder;
      for (const onText of this.#listeners) onText(text);
      onLog(line);
    });
    child.stderr.on('data', (piece: Buffer) => this.#keep(piece.toString('utf8').trimEnd()));
    const onEnd = (how: string) => {
      if (pid !== 0) reaper.gone(pid);
      if (this.#child !== child) return;
      this.#child = null;
      if (this.#ready !== null)
        onCollapse(`${name} ended by itself (${how}): ${this.#words.slice(-3).join(' | ')}`);
    };
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
  }

  #keep(text: string): void {
    keep(this.#words, text, KEPT_LINES);
  }
}

function keep(kept: string[], text: string, most: number): void {
  kept.push(text);
  if (kept.length > most) kept.shift();
}

function readLine(text: string): LogLine {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The last lines of all processes, for finding out why nothing goes on. */
export function lastWordsOf(roles: readonly RoleProcess[]): string {
  return roles
    .map((role) => `--- ${role.name}${role.isFrozen ? ' (frozen)' : ''}\n${role.lastWords(3)}`)
    .join('\n');
}
