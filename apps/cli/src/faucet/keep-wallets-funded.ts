// Gives the wallets of the demo the coin that their transfers cost, as an operator does who sends it there.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { GATEWAY_ACCOUNT, WALLET_INDEX } from '@ducat/core/signing/key-path';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { listWallets } from '@ducat/gateway/db/tables/collections/wallets';
import { openWallet } from '@ducat/gateway/flows/collections/open-wallet';
import { type Payer, payerOf } from '../orders/send-coins.ts';
import { type Setup, withSetup } from '../setup.ts';
import type { DemoChain } from '../state/demo-record.ts';
import type { StatePaths } from '../state/state-paths.ts';

/** Whole coins of the chain, by its family: a transfer on Tron burns some 10 TRX. */
const COINS: Readonly<Record<ChainFamily, bigint>> = { evm: 10n, tron: 10_000n };
/** The wallet of an app that is opened while the demo runs has its coin after so long. */
const LOOK_EVERY_MS = 5_000;
const MOST_WALLETS = 1_000;

/** Returns once the wallets that are there, the gas wallets among them, were sent their coin. Ends with `stop`. */
export async function keepWalletsFunded(
  paths: StatePaths,
  chains: readonly DemoChain[],
): Promise<{ stop(): Promise<void> }> {
  const stopped = new AbortController();
  const payers = chains.map((chain) => ({ chain, payer: payerOf(chain), funded: new Set<string>() }));
  let begun: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const work = withSetup(paths.config, {}, async (setup) => {
    for (const family of new Set(chains.map((chain) => chain.family))) await openGasWallet(setup, family);
    for (const one of payers) await fundNew(setup, one);
    begun();
    while (!stopped.signal.aborted) {
      await setup.world.sleep(LOOK_EVERY_MS, stopped.signal);
      // A chain or a database that is away is noticed by others; the next look tries again.
      for (const one of payers) await fundNew(setup, one).catch(() => undefined);
    }
  });
  await Promise.race([first, work]);
  return {
    stop: async () => {
      stopped.abort();
      await work;
    },
  };
}

async function openGasWallet(setup: Setup, family: ChainFamily): Promise<void> {
  const key = await setup.signer().accountPublicKey(family, GATEWAY_ACCOUNT);
  const address = addressSchemes[family].derive(key, WALLET_INDEX, 'wallet');
  await setup.database.transact((tx) => openWallet(tx, { appId: null, family }, address));
}

interface Funding {
  readonly chain: DemoChain;
  readonly payer: Payer;
  /** Wallets that were looked at since the start. */
  readonly funded: Set<string>;
}

/** A wallet that has half of it yet gets nothing. */
async function fundNew({ database }: Setup, { chain, payer, funded }: Funding): Promise<void> {
  const coin = chain.currencies.find(({ contract }) => contract === '');
  if (coin === undefined) return;
  const units = COINS[chain.family] * 10n ** BigInt(coin.decimals);
  for (const address of await listWallets(database.reader, chain.family, MOST_WALLETS)) {
    if (funded.has(address)) continue;
    if ((await payer.coinsOf(address)) < units / 2n) await payer.send(coin, address, units);
    funded.add(address);
  }
}
