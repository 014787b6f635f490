// A run on a Patroni cluster of three: leaders lost in every way, and splits of the network.
import { dealt, spread } from '../faults/plan-faults.ts';
import type { Scene } from '../run.ts';
import { leaderFaults, networkFaults, otherFaults, patroniFaults } from './patroni-faults.ts';
import { openPatroniStage, type PatroniStage } from './patroni-stage.ts';

export interface PatroniOptions {
  /** Faults that need no other leader. */
  readonly cycles: number;
  readonly failovers: number;
  readonly splits: number;
  /** Only these faults, where it is not all of them. */
  readonly only?: readonly string[];
}

export function patroniScene({ cycles, failovers, splits, only }: PatroniOptions): Scene<PatroniStage> {
  const deck = (faults: object) =>
    Object.keys(faults).filter((name) => only === undefined || only.includes(name));
  return {
    open: openPatroniStage,
    plan: (chance) => {
      const lost = dealt(chance, failovers, deck(leaderFaults));
      const cut = dealt(chance, splits, deck(networkFaults));
      return spread(spread(lost, cut), dealt(chance, cycles, deck(otherFaults)));
    },
    faults: (load) =>
      Object.fromEntries(
        Object.entries(patroniFaults).map(([name, fault]) => [name, (hand) => fault(hand, load)]),
      ),
  };
}
