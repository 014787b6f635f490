// The type of a fault, and the means that a fault has beside the stage.
import type { Chance } from '../chance.ts';
import type { RoleName, RoleProcess } from '../processes/role-process.ts';
import type { ReplicatedStage, Stage } from '../stage.ts';

export interface Hand<S extends Stage = ReplicatedStage> {
  readonly stage: S;
  readonly chance: Chance;
  /** Counts something under a name of its own. */
  readonly note: (what: string, times?: number) => void;
  /** Counts what this fault really met, such as connections reset. Work given to `meanwhile` may call it later. */
  readonly hit: (times: number) => void;
  /** Records how long something took, for a line of its own in the run's result. */
  readonly took: (what: string, ms: number) => void;
  /** Takes work that goes on while other faults happen. The run waits for it before it comes to rest. */
  readonly meanwhile: (work: Promise<void>) => void;
}

/** One fault of a run. It returns another name where it did something else than its own name says. */
export type Fault<S extends Stage = ReplicatedStage> = (hand: Hand<S>) => Promise<string | void>;

/** The processes of a role that are not frozen. */
export function awake({ roles }: Stage, name: RoleName): readonly RoleProcess[] {
  return roles.filter(({ role, isFrozen }) => role === name && !isFrozen);
}

/** Only for the duration of a trouble. Recovery is waited for by a condition, never by time. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
