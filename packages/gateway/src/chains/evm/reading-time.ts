// How long one endpoint may take for one block in all: however many questions that takes, others wait for it.
import type { World } from '../../runtime/world.ts';
import { Outage } from '../../runtime/outage.ts';
import type { Rpc } from './rpc.ts';

interface Bounds {
  readonly leastMs: number;
  readonly blocks: number;
  readonly mostMs: number;
}

/** Three endpoints that are met with silence as a whole and then in parts end well before 128 blocks have gone by. */
const forTrace: Bounds = { leastMs: 3_000, blocks: 12, mostMs: 20_000 };
/** As long as three answers may take: the block, its receipts and its traces. */
const forBlock: Bounds = { leastMs: 15_000, blocks: 36, mostMs: 60_000 };

/** For how long one question for traces is waited for: on a fast chain their state is gone sooner. */
export function traceTimeoutMs(blockTimeMs: number): number {
  return within(forTrace, blockTimeMs);
}

function within({ leastMs, blocks, mostMs }: Bounds, blockTimeMs: number): number {
  return Math.min(mostMs, Math.max(leastMs, blocks * blockTimeMs));
}

/** The endpoint has had all the time that there is for one block. */
export class OutOfTime extends Outage {
  constructor(mostMs: number) {
    super(`did not tell a block within ${mostMs / 1_000} s`, { retryable: true });
  }
}

export class ReadingTime {
  readonly #world: World;
  readonly #mostMs: number;
  #untilMs: number;

  constructor(world: World, blockTimeMs: number) {
    this.#world = world;
    this.#mostMs = within(forBlock, blockTimeMs);
    this.#untilMs = world.nowMs() + this.#mostMs;
  }

  /** Asks as long as there is time left, else throws OutOfTime. What was asked before that ends by its own limit. */
  limit(rpc: Rpc): Rpc {
    return {
      name: rpc.name,
      call: async (method, params) => {
        this.#expectTime();
        return rpc.call(method, params);
      },
      batch: async (requests) => {
        this.#expectTime();
        return rpc.batch(requests);
      },
    };
  }

  /** Until what it gives is called no time goes by: waiting for other blocks is told apart from this one's. */
  pause(): () => void {
    const fromMs = this.#world.nowMs();
    return () => {
      this.#untilMs += this.#world.nowMs() - fromMs;
    };
  }

  #expectTime(): void {
    if (this.#world.nowMs() >= this.#untilMs) throw new OutOfTime(this.#mostMs);
  }
}
