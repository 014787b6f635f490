// The merchants' servers behind the notifier's Post: prompt, moody or dead, and a record of all they were sent.
import type { Post, PostAnswer, PostRequest } from '@ducat/gateway/roles/notifier/port';
import type { World } from '@ducat/gateway/runtime/world';
import type { Chance } from '../world/chance.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { SimProcess } from '../world/sim-process.ts';

export type Temper = 'prompt' | 'moody' | 'dead';

/** One request that a merchant's server really got. */
export interface ReceivedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When the process began to send the request, right after it had signed it. A frozen process sends it much later. */
  readonly signedAtMs: number;
  readonly mood: Mood;
  /** Whether `Success` was answered in quiet time, in which each answer is received and recorded. */
  readonly isSettled: boolean;
}

export type Mood = 'success' | 'slow' | 'wrong' | 'error' | 'never' | 'lost answer' | 'unreachable';

/** A request that was signed longer ago is refused, as the contract asks of merchants. */
const MAX_AGE_MS = 120_000;

const MOODS: readonly (readonly [Mood, number])[] = [
  ['success', 5],
  ['slow', 2],
  ['wrong', 2],
  ['error', 2],
  ['never', 1],
  ['lost answer', 1],
  ['unreachable', 2],
];

export class Merchants {
  readonly received: ReceivedRequest[] = [];
  isCalm = false;
  /** The moods of the next requests, from any process to any merchant. After them each merchant's temper decides. */
  readonly moods: Mood[] = [];
  readonly #tempers: ReadonlyMap<string, Temper>;
  readonly #chance: Chance;
  readonly #scheduler: Scheduler;

  /** `tempers` by URL. */
  constructor(tempers: ReadonlyMap<string, Temper>, scheduler: Scheduler, chance: Chance) {
    this.#tempers = tempers;
    this.#scheduler = scheduler;
    this.#chance = chance;
  }

  /** The Post of one process. */
  postOf(process: SimProcess, world: World): Post {
    return async (request) => {
      const signedAtMs = this.#scheduler.nowMs;
      const mood = await this.#scheduler.ask(
        process,
        'post',
        async () => this.#receive(request, signedAtMs),
        { show: (drawn) => drawn, isEffect: () => true },
      );
      if (mood === 'slow') await world.sleep(this.#chance.between(1_000, 9_000));
      if (mood === 'never' || mood === 'lost answer') await world.sleep(request.timeoutMs);
      return ANSWERS[mood];
    };
  }

  #receive(request: PostRequest, signedAtMs: number): Mood {
    const { url, headers, body } = request;
    const drawn = this.#mood(url);
    const isStale = this.#scheduler.nowMs - signedAtMs > MAX_AGE_MS;
    const mood = isStale && drawn !== 'unreachable' ? 'error' : drawn;
    const isSettled = this.isCalm && mood === 'success';
    if (mood !== 'unreachable') this.received.push({ url, headers, body, signedAtMs, mood, isSettled });
    return mood;
  }

  #mood(url: string): Mood {
    const scripted = this.moods.shift();
    if (scripted !== undefined) return scripted;
    const temper = this.#tempers.get(url);
    if (temper === undefined) return 'unreachable';
    if (temper === 'dead') return this.#chance.pick(['error', 'never', 'unreachable']);
    return temper === 'prompt' || this.isCalm ? 'success' : this.#chance.weighted(MOODS);
  }
}

const ANSWERS: Readonly<Record<Mood, PostAnswer>> = {
  success: { outcome: 'delivered', httpStatus: 200 },
  slow: { outcome: 'delivered', httpStatus: 200 },
  wrong: { outcome: 'wrong-answer', httpStatus: 200 },
  error: { outcome: 'http-status', httpStatus: 500 },
  never: { outcome: 'timeout', httpStatus: null },
  'lost answer': { outcome: 'timeout', httpStatus: null },
  unreachable: { outcome: 'connection-failed', httpStatus: null },
};
