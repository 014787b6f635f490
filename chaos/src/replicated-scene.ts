// The usual run: a primary and its synchronous standby, and everything that can happen to a process, a line or a disk.
import { FAIL_OVER, failOver } from './faults/fail-over.ts';
import { faults } from './faults/faults.ts';
import { dealt, spread } from './faults/plan-faults.ts';
import type { Scene } from './run.ts';
import { openStage, type ReplicatedStage } from './stage.ts';

export interface ReplicatedOptions {
  readonly cycles: number;
  readonly failovers: number;
  /** Only these faults, where it is not all of them. */
  readonly only?: readonly string[];
  /** No COMMIT waits for the standby of the database. Then a failover must lose orders, and the reader must find that. */
  readonly isAsynchronous: boolean;
}

export function replicatedScene(options: ReplicatedOptions): Scene<ReplicatedStage> {
  const { cycles, failovers, only, isAsynchronous } = options;
  // An unknown name stays in the list, so that it ends the run instead of being left out in silence.
  const names = only === undefined ? Object.keys(faults) : [...new Set(only)];
  return {
    open: (chance, listeners) => openStage(chance, !isAsynchronous, listeners),
    plan: (chance) => spread(dealt(chance, cycles, names), Array<string>(failovers).fill(FAIL_OVER)),
    faults: (load) => ({ ...faults, [FAIL_OVER]: failOver(load) }),
  };
}
