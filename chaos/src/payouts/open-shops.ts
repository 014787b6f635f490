// Opens the merchants of a run as the command line does, with keys of the real signer, and gives the wallets their coin.
import { GATEWAY_ACCOUNT, WALLET_INDEX } from '@ducat/core/signing/key-path';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { listWallets } from '@ducat/gateway/db/tables/collections/wallets';
import { migrate } from '@ducat/gateway/db/postgres/migrations/migrate';
import { openWallet } from '@ducat/gateway/flows/collections/open-wallet';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { changeRules } from '@ducat/gateway/flows/payouts/change-rules';
import { newMerchantId } from '@ducat/gateway/runtime/ids';
import { openApp } from 'ducat/open-app';
import { type Setup, withSetup } from 'ducat/setup';
import { type App, FEE_PPM } from '../apps.ts';
import type { Chain } from '../chains/chain.ts';
import { chanceOf } from '../chance.ts';

/** Whole coins for each wallet: a transfer on Tron burns some 10 TRX. */
const COINS = { evm: 100n, tron: 10_000_000n } as const;

/** One app for each webhook address; the fees of the last one's payouts are deducted from the amount. */
export async function openShops(
  configFile: string,
  chains: readonly Chain[],
  callbackUrls: readonly string[],
): Promise<readonly App[]> {
  return withSetup(configFile, {}, async (setup) => {
    const { database, world } = setup;
    await migrate(database, world.nowMs());
    const apps: App[] = [];
    for (const callbackUrl of callbackUrls) {
      const merchantId = newMerchantId(world);
      const merchant = { merchantId, name: 'Shop', depositFeePpm: FEE_PPM, createdAtMs: world.nowMs() };
      await database.transact((tx) => createMerchant(tx, merchant));
      const app = await openApp(setup, { merchantId, name: 'Shop', kind: 'PAYMENT', callbackUrl });
      const isLast = apps.length === callbackUrls.length - 1;
      const rules = { maxValue: null, maxDayValue: null, feeMode: isLast ? 'deducted' : 'on-top' } as const;
      await database.transact((tx) => changeRules(tx, app.appId, rules));
      apps.push(app);
    }
    for (const chain of chains) await fundWallets(setup, chain);
    return apps;
  });
}

async function fundWallets(setup: Setup, chain: Chain): Promise<void> {
  const { database } = setup;
  const { family } = chain;
  const scheme = addressSchemes[family];
  const key = await setup.signer().accountPublicKey(family, GATEWAY_ACCOUNT);
  const gasWallet = scheme.derive(key, WALLET_INDEX, 'wallet');
  await database.transact((tx) => openWallet(tx, { appId: null, family }, gasWallet));
  const coin = chain.coins.find(({ contract }) => contract === null);
  if (coin === undefined) return;
  const units = COINS[family] * 10n ** BigInt(coin.decimals);
  for (const wallet of await listWallets(database.reader, 100))
    if (wallet.family === family) await chain.pay(coin, scheme.display(wallet.address), units, chanceOf(1));
}
