// The input and the outcome of every system contract.
import type { MapEntry } from '../protocol/schema.ts';
import type { Parameters } from '../state/parameters.ts';
import type { World } from '../state/world.ts';

export interface ActuatorContext {
  readonly world: World;
  readonly parameters: Parameters;
  /** Time of the block, milliseconds. */
  readonly now: bigint;
}

/** Effects beyond the state. Amounts are sun. */
export interface ActuatorOutcome {
  /** Burned from the owner, in addition to bandwidth. */
  readonly fee: bigint;
  readonly withdrawn?: bigint;
  readonly cancelled?: readonly MapEntry[];
}

/** Checks and executes one contract; throws a Rejection before it has written anything. */
export type Actuator<V> = (value: V, context: ActuatorContext) => ActuatorOutcome;
