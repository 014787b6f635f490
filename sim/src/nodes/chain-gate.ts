// The gate of every call to a provider: the scheduler, the provider's outages, the draw of a lie.
import type { Scheduler } from '../world/scheduler.ts';
import type { SimChain } from './sim-chain.ts';
import type { Forgery } from './evm-lies.ts';
import type { Lie, Provider, Topic } from './provider.ts';

export interface ChainGate {
  readonly scheduler: Scheduler;
  readonly providersOf: (chain: SimChain) => readonly Provider[];
  /** Whether the next call to the provider ends in an outage. */
  readonly isAway: (provider: Provider) => boolean;
  /** What the provider does to its next answer, null where the answer is honest. */
  readonly lie: (provider: Provider, topic: Topic) => Lie | null;
  /** The payment that a faulty provider forges now; null while there is no order to forge one for. */
  readonly forgery: (chain: SimChain) => Forgery | null;
}
