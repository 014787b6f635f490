// The set-up for measuring payouts: a real dev node, the real signer in its own process, and an app with a funded wallet.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { GATEWAY_ACCOUNT, WALLET_INDEX } from '@ducat/core/signing/key-path';
import { type EvmChain, startEvmChain } from '@ducat/devnet/evm/evm-chain';
import { createFaucet, type Faucet } from '@ducat/devnet/evm/faucet';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { endWithUs } from '@ducat/devnet/process/end-with-us';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import type { ChainConfig } from '@ducat/gateway/config/schema';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import { findWallet } from '@ducat/gateway/db/tables/collections/wallets';
import { fillAddressPool } from '@ducat/gateway/flows/addresses/fill-address-pool';
import { openWallet } from '@ducat/gateway/flows/collections/open-wallet';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { changeRules } from '@ducat/gateway/flows/payouts/change-rules';
import { newMerchantId } from '@ducat/gateway/runtime/ids';
import { openApp } from 'ducat/open-app';
import { type Setup, withSetup } from 'ducat/setup';
import { SIGNER_CLIENT } from 'ducat/start/config-text';
import { ensureSecrets } from 'ducat/start/secrets';
import { startSigner } from 'ducat/start/signer-process';
import type { DemoChain } from 'ducat/state/demo-record';
import { statePaths } from 'ducat/state/state-paths';
import { stringify } from 'smol-toml';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { masterSecret } from '../gateway/open-app.ts';
import type { Stage } from '../stage.ts';

export const USDT_ID = 1001;
const CHAIN_ID = 31_337;
const BLOCK_MS = 500;
/** Deposit addresses that are emptied. */
export const DEPOSITS = 100;
const PLENTY = 10n ** 14n;

export interface PayoutPlace {
  readonly node: EvmChain;
  readonly token: `0x${string}`;
  readonly faucet: Faucet;
  readonly appId: string;
  /** The app's wallet, which sends its payouts. */
  readonly wallet: `0x${string}`;
  readonly database: Database;
  readonly definition: ChainDefinition;
  startGateway(
    name: string,
    roles: readonly ('watcher' | 'payer' | 'collector')[],
    // Whether addresses are collected together, in sweeps.
    sponsored?: boolean,
  ): Promise<GatewayProcess>;
  close(): Promise<void>;
}

export async function openPayoutPlace(stage: Stage): Promise<PayoutPlace> {
  const databaseUrl = await stage.createDatabase('payouts');
  const node = await startEvmChain({ chainId: CHAIN_ID, mining: { blockTimeMs: BLOCK_MS } });
  const faucet = createFaucet({
    rpcUrl: node.rpcUrl,
    chainId: CHAIN_ID,
    privateKey: testAccount(0).privateKey,
  });
  const { address: token } = await faucet.deploy('testToken', ['USDT', 'USDT', 6]);
  const { signer, stopSigner } = await openSigner(stage.folder, token);
  const chain = chainOf(node.rpcUrl, token);
  const configFile = join(stage.folder, 'payouts.toml');
  const chains = { ETH: { ...chain, collection: COLLECTION } };
  writeFileSync(configFile, stringify({ demo: true, signer, rates: { source: 'fixed-demo' }, chains }));
  const environment = {
    DATABASE_URL: databaseUrl,
    DUCAT_MASTER_SECRET: Buffer.from(masterSecret).toString('hex'),
  };
  const opened = await withSetup(configFile, environment, openShop);
  for (const address of [opened.wallet, opened.gasWallet]) await faucet.sendNative(address, 10n ** 21n);
  await faucet.mintToken(token, opened.wallet, PLENTY);
  await faucet.mintToken(token, testAccount(1).address, PLENTY);
  const database = openDatabase(databaseUrl, 2);
  return {
    ...opened,
    node,
    token,
    faucet,
    database,
    startGateway: (name, roles, sponsored = false) => {
      const swept = { ETH: { ...chain, collection: { ...COLLECTION, sponsored } } };
      return startGatewayProcess({ folder: stage.folder, name, databaseUrl, roles, chains: swept, signer });
    },
    close: async () => {
      await database.close();
      await stopSigner();
      await node.stop();
    },
  };
}

/** Collects at once and at any cost, because the cost is measured. */
const COLLECTION = { min_value: '1', max_cost_percent: 100, window_minutes: 0, daily_budget: '1000000' };

function chainOf(rpcUrl: string, contract: string): ChainConfig {
  return {
    rpc_urls: [rpcUrl],
    chain_id: CHAIN_ID,
    confirmations: 1,
    node_finality: 'none',
    block_time_ms: BLOCK_MS,
    traces: 'none',
    start_block: 0,
    currencies: [{ currency_id: USDT_ID, contract, decimals: 6 }],
  };
}

async function openSigner(folder: string, contract: string) {
  const paths = statePaths(join(folder, 'payouts-signer'));
  const { signerToken: token } = ensureSecrets(paths);
  const nothing = () => undefined;
  const record = { add: nothing, remove: nothing, clear: nothing };
  const child = await startSigner(paths, { token, chains: [policyChain(contract)], record });
  const forget = endWithUs(() => void process.kill(child.pid, 'SIGKILL'));
  return {
    signer: { socket: paths.signerSocket, client: SIGNER_CLIENT, token_file: paths.signerToken },
    stopSigner: async () => {
      await child.stop();
      forget();
    },
  };
}

function policyChain(contract: string): DemoChain {
  const currency = { off_reason: '', fiat_price: true };
  return {
    chain: 'ETH',
    family: 'evm',
    chain_id: CHAIN_ID,
    rpc_url: '',
    genesis_hash: '',
    block_time_ms: BLOCK_MS,
    need_confirms: 1,
    currencies: [
      { ...currency, currency_id: 1000, symbol: 'ETH', contract: '', decimals: 18 },
      { ...currency, currency_id: USDT_ID, symbol: 'USDT', contract, decimals: 6 },
    ],
    payer: { address: '', private_key: '' },
  };
}

interface OpenedShop extends Pick<PayoutPlace, 'appId' | 'wallet' | 'definition'> {
  readonly gasWallet: `0x${string}`;
}

async function openShop(setup: Setup): Promise<OpenedShop> {
  const { database, world, config } = setup;
  const [configured] = config.chains;
  if (configured === undefined) throw new Error('there is no chain to pay on');
  const merchantId = newMerchantId(world);
  const merchant = { merchantId, name: 'Bench', depositFeePpm: 0, createdAtMs: world.nowMs() };
  await database.transact((tx) => createMerchant(tx, merchant));
  const { appId } = await openApp(setup, { merchantId, name: 'Bench', kind: 'PAYMENT', callbackUrl: null });
  const derive = (key: string, index: number) => addressSchemes.evm.derive(key, index);
  const pool = { appId, family: 'evm', derive, target: 2 * DEPOSITS } as const;
  await database.transact((tx) => fillAddressPool(tx, pool));
  await database.transact((tx) => changeRules(tx, appId, { maxValue: null, maxDayValue: null }));
  const key = await setup.signer().accountPublicKey('evm', GATEWAY_ACCOUNT);
  const gasWallet = addressSchemes.evm.derive(key, WALLET_INDEX, 'wallet');
  await database.transact((tx) => openWallet(tx, { appId: null, family: 'evm' }, gasWallet));
  const wallet = await findWallet(database.reader, { appId, family: 'evm' });
  return {
    appId,
    wallet: hexOf(wallet ?? ''),
    gasWallet: hexOf(gasWallet),
    definition: configured.definition,
  };
}

function hexOf(address: string): `0x${string}` {
  return `0x${address.replace(/^0x/, '')}`;
}
