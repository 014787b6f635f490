// The load of a run: merchants who open orders, payers who pay them, chains that fork, and what was promised to whom.
import type { Chance } from './chance.ts';
import { startForks } from './forks.ts';
import { type Acknowledged, type MerchantCounts, runMerchant } from './merchant.ts';
import { type Payers, startPayers } from './payers.ts';
import type { Stage } from './stage.ts';

/** Loops of each shop, and the pause between two orders of one loop. */
const LOOPS_PER_SHOP = 2;
const PAUSE_MS = 1_200;

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  readonly payers: Payers;
  readonly counts: MerchantCounts;
  /** When the youngest answered question was asked, in milliseconds of the run's clock. */
  readonly lastAskedMs: () => number;
  /** No new orders and payments; resolves when every question has its answer. */
  stop(): Promise<void>;
  /** Nobody waits for an answer any more. */
  abandon(): void;
}

/** Starts it; `onWrong` hears of what no merchant may be answered. */
export function startLoad(stage: Stage, chance: Chance, onWrong: (what: string) => void): Load {
  const acknowledged: Acknowledged[] = [];
  const counts: MerchantCounts = { unknown: 0, unsigned: 0, repeated: 0 };
  const payers = startPayers(chance.split('payers'));
  const forks = startForks(stage.chains, chance.split('forks'));
  const stopping = new AbortController();
  const apis = [...stage.apiProxies.values()].map(({ port }) => `http://127.0.0.1:${port}`);
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
          onOrder: (order) => {
            acknowledged.push(order);
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
    acknowledged,
    payers,
    counts,
    lastAskedMs: () => lastAskedMs,
    stop: async () => {
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
