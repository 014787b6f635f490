// What a fault is, and what it may do beyond the stage.
import type { Chance } from '../chance.ts';
import type { RoleName, RoleProcess } from '../processes/role-process.ts';
import type { ReplicatedStage, Stage } from '../stage.ts';

export interface Hand<S extends Stage = ReplicatedStage> {
  readonly stage: S;
  readonly chance: Chance;
  /** Counts something under a name of its own. */
  readonly note: (what: string, times?: number) => void;
  /** Counts what this fault really met, such as connections reset; also later, from what goes on meanwhile. */
  readonly hit: (times: number) => void;
  /** Keeps how long something took that the run's result has a line for. */
  readonly took: (what: string, ms: number) => void;
  /** What ends while other faults happen, and at the latest before the run comes to rest. */
  readonly meanwhile: (work: Promise<void>) => void;
}

/** Gives another name where it turned out to be something else than it is called. */
export type Fault<S extends Stage = ReplicatedStage> = (hand: Hand<S>) => Promise<string | void>;

/** The processes of a role that are not frozen. */
export function awake({ roles }: Stage, name: RoleName): readonly RoleProcess[] {
  return roles.filter(({ role, isFrozen }) => role === name && !isFrozen);
}

/** Only for how long trouble lasts; recovery is never waited for like this. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
