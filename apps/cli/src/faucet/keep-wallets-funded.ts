// Gives the demo's wallets the coin for their network fees, as an operator would by sending it there.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { GATEWAY_ACCOUNT, WALLET_INDEX } from '@ducat/core/signing/key-path';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { type ListedWallet, listWallets } from '@ducat/gateway/db/tables/collections/wallets';
import { openWallet } from '@ducat/gateway/flows/collections/open-wallet';
import { type Payer, payerOf } from '../orders/send-coins.ts';
import { type Setup, withSetup } from '../setup.ts';
import type { DemoChain } from '../state/demo-record.ts';
import type { StatePaths } from '../state/state-paths.ts';

/** Whole coins by the family of the chain. A transfer on Tron burns about 10 TRX. */
const COINS: Readonly<Record<ChainFamily, bigint>> = { evm: 10n, tron: 10_000n };
/**
 * How often wallets are polled: the wallet of an app that is opened while the demo runs gets its coin within this time.
 */
const LOOK_EVERY_MS = 5_000;
const MOST_WALLETS = 1_000;

/** Returns once the existing wallets, gas wallets included, have been sent their coin. Runs until `stop`. */
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
    const list = () => listWallets(setup.database.reader, MOST_WALLETS);
    const existing = await list();
    for (const one of payers) await fundNew(one, existing);
    begun();
    while (!stopped.signal.aborted) {
      await setup.world.sleep(LOOK_EVERY_MS, stopped.signal);
      // An unreachable chain or database is reported elsewhere. The next round retries.
      const wallets = await list().catch(() => []);
      for (const one of payers) await fundNew(one, wallets).catch(() => undefined);
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
  /** Wallets that were checked since the start. */
  readonly funded: Set<string>;
}

/** A wallet that still has half of the amount gets nothing. */
async function fundNew({ chain, payer, funded }: Funding, wallets: readonly ListedWallet[]): Promise<void> {
  const coin = chain.currencies.find(({ contract }) => contract === '');
  if (coin === undefined) return;
  const units = COINS[chain.family] * 10n ** BigInt(coin.decimals);
  for (const { family, address } of wallets) {
    if (family !== chain.family || funded.has(address)) continue;
    if ((await payer.coinsOf(address)) < units / 2n) await payer.send(coin, address, units);
    funded.add(address);
  }
}
