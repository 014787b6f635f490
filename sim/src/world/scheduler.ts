// The one scheduler: everything that waits for the world outside waits here, and one thing at a time goes on.
import { setImmediate as drained } from 'node:timers/promises';
import { endOf } from './deferred.ts';
import type { SimProcess } from './sim-process.ts';
import type { Trace } from './trace.ts';

/** How many statements of the database under test wait for a lock. */
export type CountWaiting = () => Promise<number>;

/** How long a statement may take before the locks are looked at: a look costs more than most statements. */
const LOOK_MS = 8;
/** A statement that neither ends nor waits for a lock for this long has shown a fault of the simulator. */
const STUCK_LOOKS = 5_000;

export interface Step {
  readonly process: SimProcess;
  readonly label: string;
  state: 'asked' | 'blocked' | 'ready';
  /** For sleeps: not before this time. */
  readonly dueMs: number;
  readonly issue: () => Promise<string>;
  readonly handBack: () => void;
  /** The transaction that a statement belongs to. */
  readonly session: OpenSession | null;
  readonly freesLocks: boolean;
  /** Whether what it does outlives its process. */
  readonly isEffect: () => boolean;
}

/** A transaction under way; `settled` once the database has committed or rolled it back. */
export interface OpenSession {
  readonly settled: Promise<unknown>;
}

export interface AskOptions<T> {
  /** What the trace says of the value. */
  readonly show?: (value: T) => string;
  readonly session?: OpenSession;
  /** It ends a transaction, so that others may get its locks. */
  readonly freesLocks?: boolean;
  /**
   * Whether what it does outlives the process: a COMMIT that wrote, a signature, a broadcast, a webhook. Asked when the
   * step is about to be taken.
   */
  readonly isEffect?: () => boolean;
}

/** A call that may be taken back before it is handed on, as an aborted sleep is. */
export interface Asked<T> {
  readonly promise: Promise<T>;
  readonly cancel: () => void;
}

export class Scheduler {
  nowMs: number;
  readonly #trace: Trace;
  readonly #countWaiting: CountWaiting;
  #steps: Step[] = [];
  /** The transactions that are open; one alone never waits for a lock. */
  readonly open = new Set<OpenSession>();
  /** Statements that wait for a lock in the database, those of dead processes too. */
  readonly #blocked = new Set<Step>();

  constructor(startMs: number, trace: Trace, countWaiting: CountWaiting) {
    this.nowMs = startMs;
    this.#trace = trace;
    this.#countWaiting = countWaiting;
  }

  /**
   * Waits for the grant, runs `work`, and waits for a second grant to hand its end back. Never settles when the
   * process is killed.
   */
  ask<T>(
    process: SimProcess,
    label: string,
    work: () => Promise<T>,
    { show = () => '', session, freesLocks = false, isEffect = never }: AskOptions<T> = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let end: () => void = () => undefined;
      this.#steps.push({
        process,
        label,
        state: 'asked',
        dueMs: 0,
        session: session ?? null,
        freesLocks,
        isEffect,
        issue: async () => {
          const ended = await endOf(work());
          end = () => (ended.ok ? resolve(ended.value) : reject(ended.error));
          return ended.ok ? show(ended.value) : nameOf(ended.error);
        },
        handBack: () => end(),
      });
    });
  }

  /** Wakes the process when the time has come and the scheduler says so. */
  sleep(process: SimProcess, ms: number): Asked<void> {
    let wake: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const step: Step = {
      process,
      label: 'sleep',
      state: 'ready',
      dueMs: this.nowMs + ms,
      session: null,
      freesLocks: false,
      isEffect: never,
      issue: () => Promise.resolve(''),
      handBack: () => wake(),
    };
    this.#steps.push(step);
    return {
      promise,
      cancel: () => {
        this.#steps = this.#steps.filter((other) => other !== step);
        wake();
      },
    };
  }

  /** The steps that can be taken now, oldest first. */
  choices(): readonly Step[] {
    return this.#steps.filter(
      ({ process, state, dueMs }) =>
        state !== 'blocked' && dueMs <= this.nowMs && process.canStep(this.nowMs),
    );
  }

  /** When the next sleeper wakes or the next frozen process thaws; null when nobody waits for the clock. */
  nextDueMs(): number | null {
    const due = this.#steps
      .filter(({ process, state }) => process.alive && state !== 'blocked')
      .map(({ process, dueMs }) => Math.max(dueMs, process.frozenUntilMs));
    return due.length === 0 ? null : Math.min(...due);
  }

  /** Lets the code under test run until all of it waits, after the world has moved. */
  async settle(): Promise<void> {
    await drained();
  }

  /** Takes one step and lets everything that follows from it run until it asks again. */
  async take(step: Step): Promise<void> {
    if (step.state === 'ready') {
      this.#remove(step);
      this.#trace.step(this.nowMs, `${step.process.name} < ${step.label}`);
      step.handBack();
    } else {
      await this.#issue(step);
      if (step.freesLocks) await this.settleLocks();
    }
    await drained();
  }

  /** Drops what a killed process waited for, and waits until its open transactions are rolled back. */
  async drop(process: SimProcess, open: readonly OpenSession[]): Promise<void> {
    process.alive = false;
    this.#steps = this.#steps.filter((step) => step.process !== process);
    const waiting = new Set<OpenSession | null>();
    for (const step of this.#blocked) {
      if (step.process !== process) continue;
      waiting.add(step.session);
      // The server goes on waiting for the lock and finds only then that nobody is there any more.
      void endOf(step.session?.settled ?? Promise.resolve()).then(() => this.#blocked.delete(step));
    }
    await Promise.all(open.filter((session) => !waiting.has(session)).map(({ settled }) => endOf(settled)));
    await this.settleLocks();
    await drained();
  }

  /** Whether a statement of the transaction waits for a lock in the database. */
  waitsForLock(session: OpenSession): boolean {
    return [...this.#blocked].some((step) => step.session === session);
  }

  /** Statements that got their lock run to their end, before anything else may begin. */
  async settleLocks(): Promise<void> {
    await drained();
    for (let looks = 0; this.#blocked.size > 0; looks++) {
      if ((await this.#countWaiting()) === this.#blocked.size) return;
      if (looks > STUCK_LOOKS) throw new Error('statements neither end nor wait for a lock');
      await drained();
    }
  }

  async #issue(step: Step): Promise<void> {
    const { process, label } = step;
    let outcome: string | null = null;
    const running = step.issue().then((text) => {
      outcome = text;
      // The process may have been killed while the statement waited.
      if (!process.alive) return;
      step.state = 'ready';
      this.#blocked.delete(step);
    });
    // Reads take no locks, and a transaction that is alone finds nobody who holds one.
    if (step.session === null || this.open.size < 2) await running;
    for (let looks = 0; outcome === null && !(await endsWithin(running, LOOK_MS)); looks++) {
      if (looks > STUCK_LOOKS) throw new Error(`${process.name} ${label} neither ends nor waits for a lock`);
      if ((await this.#countWaiting()) <= this.#blocked.size || outcome !== null) continue;
      step.state = 'blocked';
      this.#blocked.add(step);
      break;
    }
    this.#trace.step(this.nowMs, `${process.name} > ${label} ${outcome ?? 'waits for a lock'}`);
  }

  #remove(step: Step): void {
    this.#steps = this.#steps.filter((other) => other !== step);
  }
}

function never(): boolean {
  return false;
}

/** The name of what was thrown: messages may hold what differs from run to run. */
function nameOf(error: unknown): string {
  return error instanceof Error ? `throws ${error.name}` : 'throws';
}

async function endsWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
