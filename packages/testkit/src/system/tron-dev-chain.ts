// The Tron dev chain of a system test: Tron's own numbers, mined by hand, USDT where the real one is, and a payer.
import { createTronFaucet, type TronFaucet } from '@ducat/devnet/tron/tron-faucet';
import { parseAddress } from '@ducat/tron-dev/protocol/address';
import { startTronDev, type TronDev } from '@ducat/tron-dev/start-tron-dev';
import { assemble } from '../chains/evm/evm-program.ts';
import { tokenCode, transferSelector } from '../chains/evm/evm-contracts.ts';
import { toTron, TronPayer } from '../chains/tron/tron-payer.ts';
import { startTronProxy, type TronProxy } from '../chains/tron/tron-proxy.ts';
import { openChain } from '@ducat/gateway/compose/open-chain';
import { configuredChains } from '@ducat/gateway/config/chains';
import type { ChainConfig } from '@ducat/gateway/config/schema';
import type { MinedChain } from './mined-chain.ts';

/** The address of the real USDT. The token that stands there answers false on success, as the real one does. */
export const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export interface TronDevChain extends MinedChain {
  readonly dev: TronDev;
  /** The proxy through which the gateway reads the chain; honest unless a test says otherwise. */
  readonly proxy: TronProxy;
  /** Currency ids. The last two are configured like any other: tokens that move nothing and answer true or false. */
  readonly ids: {
    readonly coin: number;
    readonly usdt: number;
    readonly hollow: number;
    readonly refusing: number;
  };
  readonly hollow: string;
  readonly refusing: string;
  /** A rich account that has all the USDT. */
  readonly payer: TronFaucet;
  /** Another account, for contracts and any other content of a transaction. Its addresses are those of EVM code. */
  readonly hand: TronPayer;
  /** Signs for one of the dev chain's accounts. */
  payerOf(account: number): TronFaucet;
}

const COIN_ID = 3_000;
const USDT_ID = 3_001;
const HOLLOW_ID = 3_990;
const REFUSING_ID = 3_991;

/** Starts the chain and deploys the tokens; with two endpoints, the second is the chain without the proxy. */
export async function startTronDevChain({ endpoints = 1 } = {}): Promise<TronDevChain> {
  const dev = await startTronDev({ mining: 'manual', accountCount: 4, balance: 10n ** 15n });
  const { id: genesisId } = dev.head();
  const proxy = await startTronProxy(dev.fullUrl);
  await dev.mine();
  const owner = dev.accounts[1]?.address ?? '';
  const token = { owner, name: 'Tether USD', symbol: 'USDT', decimals: 6, supply: 10n ** 16n } as const;
  await dev.deployToken({ ...token, like: 'usdt', address: USDT });
  const hand = new TronPayer(dev);
  const hollow = toTron(await hand.deploy(hollowCode()));
  const refusing = toTron(await hand.deploy(tokenCode({ returnsFalse: true })));
  const [configured] = configuredChains({
    Tron: entryOf([proxy.url, ...(endpoints > 1 ? [dev.fullUrl] : [])], { genesisId, hollow, refusing }),
  });
  if (configured === undefined) throw new Error('the dev chain was not configured');
  const payerOf = (account: number) =>
    createTronFaucet({ rpcUrl: dev.fullUrl, privateKey: dev.accounts[account]?.privateKey ?? '' });
  return {
    name: 'Tron',
    dev,
    proxy,
    configured,
    reader: openChain(configured),
    offered: configured.definition.currencies.filter(({ enabled }) => enabled).length,
    ids: { coin: COIN_ID, usdt: USDT_ID, hollow: HOLLOW_ID, refusing: REFUSING_ID },
    hollow,
    refusing,
    payer: payerOf(1),
    hand,
    payerOf,
    mine: (count) => dev.mine(count),
    head: () => {
      const { number, id } = dev.head();
      return Promise.resolve({ number, hash: id });
    },
    stop: async () => {
      await proxy.stop();
      await dev.stop();
    },
  };
}

/** A deposit address as EVM code has it. */
export function inCode(address: string): string {
  const canonical = parseAddress(address);
  if (canonical === null) throw new Error(`${address} is no address of Tron`);
  return `0x${canonical.slice(2)}`;
}

/** A token that answers true to a transfer and does nothing else. No account has any of it. */
function hollowCode(): string {
  return assemble(`
    0 CALLDATALOAD 224 SHR
    DUP1 0x313ce567 EQ @decimals JUMPI
    0x${transferSelector} EQ 0 MSTORE 32 0 RETURN
    :decimals 6 0 MSTORE 32 0 RETURN`);
}

/** The known configuration of Tron with the dev node, and with only these tokens. */
function entryOf(
  rpcUrls: string[],
  { genesisId, hollow, refusing }: Pick<TronDevChain, 'hollow' | 'refusing'> & { readonly genesisId: string },
): ChainConfig {
  return {
    rpc_urls: rpcUrls,
    chain_id: Number.parseInt(genesisId.slice(-8), 16),
    genesis_hash: genesisId,
    block_time_ms: 200,
    requests_per_second: 1_000,
    known_tokens: 'listed',
    currencies: [
      { currency_id: USDT_ID },
      { currency_id: HOLLOW_ID, symbol: 'HOLLOW', contract: hollow, decimals: 6 },
      { currency_id: REFUSING_ID, symbol: 'REFUSE', contract: refusing, decimals: 6 },
    ],
  };
}
