// The load of a run: merchants who open orders, payers who pay them, chains that fork, and what was promised to whom.
import type { Chance } from '../chance.ts';
import { startForks } from '../chains/forks.ts';
import { type Acknowledged, type MerchantCounts, runMerchant } from './merchant.ts';
import { type Payers, startPayers } from './payers.ts';
import type { Asked } from '../reader/checks/check-promises.ts';
import type { Stage } from '../stage.ts';

/** Loops of each shop, and the pause between two orders of one loop. */
const LOOPS_PER_SHOP = 3;
const PAUSE_MS = 1_000;

export interface Load {
  /** Every order that was asked for, with or without an answer. */
  readonly asked: readonly Asked[];
  readonly acknowledged: readonly Acknowledged[];
  readonly payers: Payers;
  readonly counts: MerchantCounts;
  /** How long orders were asked for. */
  readonly seconds: () => number;
  /** The longest time without an acknowledged order, among those that ended after `sinceMs`. */
  readonly longestPauseMs: (sinceMs: number) => number;
  /** When the newest of the answered requests was sent, in milliseconds of the run's clock. */
  readonly lastAskedMs: () => number;
  /** Starts no more orders and payments; resolves when every request has its answer. */
  stop(): Promise<void>;
  /** Ends the wait for answers that have not come. */
  abandon(): void;
}

/** Starts the load; `onWrong` is called with each answer that no merchant may get. */
export function startLoad(stage: Stage, chance: Chance, onWrong: (what: string) => void): Load {
  const asked: Asked[] = [];
  const acknowledged: Acknowledged[] = [];
  const counts: MerchantCounts = { unknown: 0, unsigned: 0, repeated: 0 };
  const payers = startPayers(chance.split('payers'));
  const forks = startForks(stage.chains, chance.split('forks'));
  const stopping = new AbortController();
  const apis = [...stage.apiProxies.values()].map(({ port }) => `http://127.0.0.1:${port}`);
  const startedMs = performance.now();
  const answeredMs: number[] = [];
  let endedMs: number | null = null;
  let lastAskedMs = 0;
  let isOver = false;
  const loops = stage.apps.flatMap((app, shop) =>
    Array.from({ length: LOOPS_PER_SHOP }, (_, place) =>
      runMerchant(
        {
          app,
          numbers: `shop-${shop}-${place}`,
          apis,
          chains: stage.chains,
          chance: chance.split(`shop ${shop}/${place}`),
          pauseMs: PAUSE_MS,
          isOver: () => isOver,
          onAsk: (question) => void asked.push(question),
          onOrder: (order) => {
            acknowledged.push(order);
            answeredMs.push(performance.now());
            lastAskedMs = Math.max(lastAskedMs, order.askedMs);
            payers.shown(order);
          },
          onWrong,
        },
        counts,
        stopping.signal,
      ),
    ),
  );
  return {
    asked,
    acknowledged,
    payers,
    counts,
    seconds: () => ((endedMs ?? performance.now()) - startedMs) / 1000,
    longestPauseMs: (sinceMs) => longestPause(answeredMs, sinceMs, performance.now()),
    lastAskedMs: () => lastAskedMs,
    stop: async () => {
      endedMs ??= performance.now();
      stopping.abort();
      await Promise.all(loops);
      await forks.stop();
      await payers.stop();
    },
    abandon: () => {
      isOver = true;
    },
  };
}

/** The longest pause between successive moments, the last of which is now. Only pauses that end after `sinceMs` count. */
export function longestPause(momentsMs: readonly number[], sinceMs: number, nowMs: number): number {
  const first = momentsMs.findLastIndex((moment) => moment <= sinceMs);
  const moments = [...momentsMs.slice(Math.max(0, first)), nowMs];
  return moments
    .slice(1)
    .reduce((most, moment, place) => Math.max(most, moment - (moments[place] ?? moment)), 0);
}
