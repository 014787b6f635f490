// Makes a block at a steady pace.
import type { Chain } from '../chain/chain.ts';

export interface Miner {
  /** Ends after the block that is being made. */
  stop(): Promise<void>;
}

/** Makes a block every `blockTimeMs`. Where making a block takes longer, the next one follows at once. */
export function startMiner(chain: Chain, blockTimeMs: number): Miner {
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let due = Date.now() + blockTimeMs;
  const schedule = () => {
    timer = setTimeout(tick, Math.max(0, due - Date.now()));
  };
  const tick = () => {
    due = Math.max(due + blockTimeMs, Date.now());
    running = chain.mine(1).finally(() => {
      if (!isStopped) schedule();
    });
  };
  schedule();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
