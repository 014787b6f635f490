// How long one endpoint may take for one block in all: however many questions that takes, others wait for it.
import type { World } from '../../world.ts';
import { Outage } from '../../outage.ts';
import type { Rpc } from './rpc.ts';

/** As long as three answers may take: the block, its receipts and its traces. */
const mostMs = 60_000;

/** The endpoint has had all the time that there is for one block. */
export class OutOfTime extends Outage {
  constructor() {
    super(`did not tell a block within ${mostMs / 1_000} s`, { retryable: true });
  }
}

export class ReadingTime {
  readonly #world: World;
  #untilMs: number;

  constructor(world: World) {
    this.#world = world;
    this.#untilMs = world.nowMs() + mostMs;
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
    if (this.#world.nowMs() >= this.#untilMs) throw new OutOfTime();
  }
}
