// What a worker can be commanded to do.

/** One run: a seed, or a scenario with the step at which a process dies. */
export interface Job {
  readonly seed: number;
  /** The name of a scenario, which runs instead of a fault phase. */
  readonly scenario?: string;
  /** The step of the scenario before which its process dies; none where it is left out. */
  readonly crashAt?: number;
  /** Whether `crashAt` counts only effects instead of every step. */
  readonly atEffects?: boolean;
  readonly keepTrace?: boolean;
  /** Whether the run has payouts. */
  readonly withPayouts?: boolean;
}

interface OpenCommand {
  readonly kind: 'open';
  readonly adminUrl: string;
  /** Statements that change the schema first, for planted bugs. */
  readonly change: readonly string[];
}

export type WorkerCommand =
  | OpenCommand
  | { readonly kind: 'run'; readonly job: Job }
  | { readonly kind: 'close' };
