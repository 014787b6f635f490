// The base of every run: a folder, the chains and the shops' receivers. They end in reverse order, however the run ends.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from './apps.ts';
import type { Chain } from './chains/chain.ts';
import { EvmDevChain } from './chains/evm-chain.ts';
import { TronDevChain } from './chains/tron-chain.ts';
import type { Chance } from './chance.ts';
import { type Receiver, startReceiver } from './load/receiver.ts';
import { type Reaper, startReaper } from './processes/reaper.ts';

const SHOPS = 3;

const evmPlans = [
  { name: 'ETH', chainId: 31_337, symbol: 'ETH', firstCurrency: 1000, tokenDecimals: 6 },
  { name: 'BSC', chainId: 31_338, symbol: 'BNB', firstCurrency: 2000, tokenDecimals: 18 },
] as const;

/** A stage that is being built. */
export interface StageBase {
  readonly folder: string;
  readonly reaper: Reaper;
  /** Registers how to end a part of the stage. The part that is started last is ended first. */
  readonly onEnd: (end: () => Promise<void>) => void;
}

/** Builds a stage. Its processes and its folder are removed even if this process is killed. */
export async function buildStage<Built>(
  build: (base: StageBase) => Promise<Built>,
): Promise<Built & { stop(): Promise<void> }> {
  const reaper = startReaper();
  const folder = mkdtempSync(join(tmpdir(), 'ducat-chaos-'));
  // PostgreSQL may run as another user, who has to be able to traverse this folder.
  chmodSync(folder, 0o711);
  reaper.folder(folder);
  const ends: (() => Promise<void>)[] = [() => reaper.finish()];
  const stop = async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  try {
    return { ...(await build({ folder, reaper, onEnd: (end) => void ends.push(end) })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function startChains({ folder, reaper, onEnd }: StageBase): Promise<readonly Chain[]> {
  const chains: Chain[] = [];
  const keep = (chain: Chain) => {
    onEnd(() => chain.stop(reaper));
    chains.push(chain);
  };
  for (const plan of evmPlans) keep(await EvmDevChain.start(plan, join(folder, plan.name), reaper));
  keep(await TronDevChain.start(reaper));
  return chains;
}

/** Starts one receiver for each shop. `apps` is filled later, in the same order, once the shops are opened. */
export async function startReceivers(
  { onEnd }: StageBase,
  chance: Chance,
  apps: readonly App[],
): Promise<readonly Receiver[]> {
  const receivers: Receiver[] = [];
  for (let place = 0; place < SHOPS; place += 1) {
    const keys = () => apps[place] ?? { appId: '', appKey: '' };
    const receiver = await startReceiver(keys, chance.split(`receiver ${place}`));
    onEnd(() => receiver.stop());
    receivers.push(receiver);
  }
  return receivers;
}
