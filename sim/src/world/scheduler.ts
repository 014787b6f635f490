// The one scheduler: every call to the outside world waits here, and the scheduler lets one of them go on at a time.
import { setImmediate as drained } from 'node:timers/promises';
import { endOf } from './deferred.ts';
import type { SimProcess } from './sim-process.ts';
import type { Trace } from './trace.ts';

/** How many statements of the database under test wait for a lock. */
export type CountWaiting = () => Promise<number>;

/** How long a statement may take before locks are checked, because a check costs more than most statements. */
const LOOK_MS = 8;
/** After so many checks, a statement that neither ends nor waits for a lock shows a fault of the simulator. */
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
  /** Whether the effect of the step outlives its process. */
  readonly isEffect: () => boolean;
}

/** A transaction under way. `settled` resolves once the database has committed it or rolled it back. */
export interface OpenSession {
  readonly settled: Promise<unknown>;
}

export interface AskOptions<T> {
  /** The text of the value in the trace. */
  readonly show?: (value: T) => string;
  readonly session?: OpenSession;
  /** Whether the call ends a transaction, so that others may get its locks. */
  readonly freesLocks?: boolean;
  /**
   * Whether the effect of the call outlives its process: a COMMIT that wrote, a signature, a broadcast, a webhook.
   * Called when the step is about to be taken.
   */
  readonly isEffect?: () => boolean;
}

/** A call that can be cancelled before it is handed on, as an aborted sleep is. */
export interface Asked<T> {
  readonly promise: Promise<T>;
  readonly cancel: () => void;
}

export class Scheduler {
  nowMs: number;
  readonly #trace: Trace;
  readonly #countWaiting: CountWaiting;
  #steps: Step[] = [];
  /** The transactions that are open. A transaction that is alone never waits for a lock. */
  readonly open = new Set<OpenSession>();
  /** The statements that wait for a lock in the database, those of dead processes included. */
  readonly #blocked = new Set<Step>();

  constructor(startMs: number, trace: Trace, countWaiting: CountWaiting) {
    this.nowMs = startMs;
    this.#trace = trace;
    this.#countWaiting = countWaiting;
  }

  /**
   * Waits for its turn, runs `work`, and waits for a second turn to hand the outcome back. Never settles when the
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

  /** Sleeps for `ms`. The process wakes when the time has come and the scheduler takes the step. */
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

  /** When the next sleeper wakes or the next frozen process thaws; null when no process waits for the clock. */
  nextDueMs(): number | null {
    const due = this.#steps
      .filter(({ process, state }) => process.alive && state !== 'blocked')
      .map(({ process, dueMs }) => Math.max(dueMs, process.frozenUntilMs));
    return due.length === 0 ? null : Math.min(...due);
  }

  /** After the world has moved, lets the code under test run until all of it waits. */
  async settle(): Promise<void> {
    await drained();
  }

  /** Takes one step, and lets everything that follows from it run until it asks again. */
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

  /** Drops the pending steps of a killed process, and waits until its open transactions are rolled back. */
  async drop(process: SimProcess, open: readonly OpenSession[]): Promise<void> {
    process.alive = false;
    this.#steps = this.#steps.filter((step) => step.process !== process);
    const waiting = new Set<OpenSession | null>();
    for (const step of this.#blocked) {
      if (step.process !== process) continue;
      waiting.add(step.session);
      // The server goes on waiting for the lock, and only then finds that the client is gone.
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

  /** Lets statements that got their lock run to their end, before anything else may begin. */
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
    // Reads take no locks, and no other transaction can hold a lock that a single open one waits for.
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

/** Only the name of the error, because its message may differ from run to run. */
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
