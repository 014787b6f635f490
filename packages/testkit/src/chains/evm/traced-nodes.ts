// Several endpoints before one dev node, each with its own manner; time passes only while nobody works, so that it can be measured.
import { setImmediate as turn } from 'node:timers/promises';
import { isRecord } from './blocks/raw-block.ts';
import type { ManualWorld } from '../manual-world.ts';

/** What is done instead of an honest answer. */
export type Instead =
  | { readonly status: number }
  | { readonly error: string }
  /** Never answers. */
  | 'hangs'
  /** The connection breaks. */
  | 'resets'
  /** Answers honestly after so many milliseconds. */
  | number;

export interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Null for an honest answer. */
export type Manner = (question: Question) => Instead | null;

export interface TracedNodes {
  readonly fetch: typeof globalThis.fetch;
  /** Questions so far, by the host that was asked. */
  asked(host: string): readonly Question[];
  /** From now on; honest without argument. */
  change(host: string, manner?: Manner): void;
}

export function tracedNodes(rpcUrl: string, world: ManualWorld): TracedNodes {
  const manners = new Map<string, Manner>();
  const questions = new Map<string, Question[]>();
  const clock = new IdleClock(world);
  const askUpstream = (body: string, signal: AbortSignal | null): Promise<Response> =>
    clock.during(async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(rpcUrl, { method: 'POST', headers, body, signal });
      return new Response(await response.arrayBuffer(), { status: response.status });
    });
  return {
    asked: (host) => questions.get(host) ?? [],
    change: (host, manner = () => null) => void manners.set(host, manner),
    async fetch(url, init) {
      if (typeof url !== 'string' || typeof init?.body !== 'string') throw new Error('a question is text');
      const { host } = new URL(url);
      const json: unknown = JSON.parse(init.body);
      const all = questionsIn(json);
      questions.set(host, [...(questions.get(host) ?? []), ...all]);
      const manner = manners.get(host) ?? (() => null);
      const instead = all.map(manner).find((one) => one !== null) ?? null;
      const { signal = null } = init;
      if (typeof instead === 'number' || instead === 'hangs') await clock.waitFor(instead, signal);
      if (instead === 'resets') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
      if (instead === null || typeof instead !== 'object') return askUpstream(init.body, signal);
      if ('status' in instead) return new Response('', { status: instead.status });
      const error = { code: -32_000, message: instead.error };
      const answers = all.map(({ id }) => ({ jsonrpc: '2.0', id, error }));
      return Response.json(Array.isArray(json) ? answers : answers[0]);
    },
  };
}

function questionsIn(json: unknown): readonly (Question & { readonly id: unknown })[] {
  return (Array.isArray(json) ? json : [json]).filter(isRecord).map((one) => ({
    id: one['id'],
    method: String(one['method']),
    params: Array.isArray(one['params']) ? one['params'] : [],
  }));
}

/** So often nobody may be at work before time goes on: a body is read and judged in fewer turns. */
const idleTurns = 20;
const stepMs = 1_000;

/** Moves the world's time while somebody waits for it and nobody works. */
class IdleClock {
  readonly #world: ManualWorld;
  #working = 0;
  #waiting = 0;
  #isRunning = false;

  constructor(world: ManualWorld) {
    this.#world = world;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
    }
  }

  /** Throws as `fetch` does where it is stopped meanwhile. */
  async waitFor(time: number | 'hangs', stop: AbortSignal | null): Promise<void> {
    this.#waiting++;
    void this.#run();
    await this.#world.sleep(time === 'hangs' ? Number.MAX_SAFE_INTEGER : time, stop ?? undefined);
    this.#waiting--;
    if (stop?.aborted === true) throw new DOMException('aborted', 'AbortError');
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let idle = 0; this.#waiting > 0; ) {
      await turn();
      idle = this.#working === 0 ? idle + 1 : 0;
      if (idle < idleTurns) continue;
      idle = 0;
      this.#world.advance(stepMs);
    }
    this.#isRunning = false;
  }
}
