// All four chains with every token of the catalogue that is on, mined by hand, and a payer who has some of each.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { startEvmChain } from '@ducat/devnet/evm/evm-chain';
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { createTronFaucet } from '@ducat/devnet/tron/tron-faucet';
import { startTronDev } from '@ducat/tron-dev/start-tron-dev';
import { openChain } from '@ducat/gateway/compose/open-chain';
import { configuredChains } from '@ducat/gateway/config/chains';
import type { ChainConfig, CurrencyConfig } from '@ducat/gateway/config/schema';
import type { MinedChain } from './mined-chain.ts';

export interface CatalogueChain extends MinedChain {
  /** The currencies that are on, as the gateway reads them. */
  readonly currencies: readonly Currency[];
  /** Sends a payment that the next block includes. */
  pay(currency: Currency, to: string, units: bigint): Promise<unknown>;
}

/** More of each token than any test pays. */
const STOCK = 10n ** 30n;
/** USDT on Ethereum returns nothing from a transfer. */
const RETURNS_NOTHING = 1001;
/** A token that an operator of WKC might configure, because the catalogue knows only the chain's coin. */
const wkcTokens: readonly CurrencyConfig[] = [{ currency_id: 4001, symbol: 'USDT', decimals: 6 }];

/** Starts all four chains. Each keeps its definition but for the address of its node. */
export function startCatalogueChains(): Promise<readonly CatalogueChain[]> {
  return Promise.all(
    chainDefinitions.map((definition, place) =>
      definition.family === 'tron' ? startTron(definition) : startEvm(definition, 31_400 + place),
    ),
  );
}

async function startEvm(definition: ChainDefinition, chainId: number): Promise<CatalogueChain> {
  const node = await startEvmChain({ chainId });
  const { rpcUrl } = node;
  const payer = createFaucet({ rpcUrl, chainId, privateKey: testAccount(0).privateKey });
  const tokens: CurrencyConfig[] = [];
  for (const token of [...tokensOf(definition), ...(definition.name === 'WKC' ? wkcTokens : [])]) {
    const { currency_id, symbol = '', decimals = 0 } = token;
    const kind = currency_id === RETURNS_NOTHING ? 'noReturnToken' : 'testToken';
    const { address } = await payer.deploy(kind, [symbol, symbol, decimals]);
    await payer.mintToken(address, payer.address, STOCK);
    // Blocks hold some thirty deployments.
    if (tokens.push({ ...token, contract: address }) % 20 === 0) await node.mine();
  }
  await node.mine();
  const chain = { rpc_urls: [rpcUrl], chain_id: chainId, traces: 'debug' as const };
  return {
    ...configured(definition, { ...chain, currencies: tokens }),
    pay: (currency, to, units) => {
      const address = hexOf(to);
      return currency.contract === null
        ? payer.sendNative(address, units)
        : payer.sendToken(hexOf(currency.contract), address, units);
    },
    mine: (count) => node.mine(count),
    head: async () => {
      const block = await node.rpc('eth_getBlockByNumber', ['latest', false]);
      if (typeof block !== 'object' || block === null || !('number' in block && 'hash' in block))
        throw new Error('the dev node has no head');
      return { number: Number(block.number), hash: String(block.hash) };
    },
    stop: () => node.stop(),
  };
}

async function startTron(definition: ChainDefinition): Promise<CatalogueChain> {
  const dev = await startTronDev({ mining: 'manual', accountCount: 2, balance: 10n ** 15n });
  const { id: genesis_hash } = dev.head();
  const [, payer] = dev.accounts;
  if (payer === undefined) throw new Error('the Tron chain has no second account');
  await dev.mine();
  const tokens = tokensOf(definition);
  for (const { symbol = '', decimals = 0, contract = '' } of tokens) {
    const like = symbol === 'USDT' ? 'usdt' : 'standard';
    const token = { name: symbol, symbol, decimals, supply: STOCK, like, address: contract } as const;
    await dev.deployToken({ ...token, owner: payer.address });
  }
  const faucet = createTronFaucet({ rpcUrl: dev.fullUrl, privateKey: payer.privateKey });
  const entry = {
    rpc_urls: [dev.fullUrl],
    chain_id: Number.parseInt(genesis_hash.slice(-8), 16),
    genesis_hash,
    requests_per_second: 1_000,
    currencies: [...tokens],
  };
  return {
    ...configured(definition, entry),
    pay: ({ contract }, to, units) =>
      contract === null ? faucet.sendTrx(to, units) : faucet.sendToken(contract, to, units),
    mine: (count) => dev.mine(count),
    head: () => {
      const { number, id } = dev.head();
      return Promise.resolve({ number, hash: id });
    },
    stop: () => dev.stop(),
  };
}

/** The tokens that are on, as an operator configures them. */
function tokensOf({ currencies }: ChainDefinition): readonly CurrencyConfig[] {
  return currencies
    .filter(({ enabled, contract }) => enabled && contract !== null)
    .map(({ currencyId, symbol, decimals, contract }) => ({
      currency_id: currencyId,
      symbol,
      decimals,
      contract: contract ?? '',
    }));
}

function configured(
  { name }: ChainDefinition,
  entry: ChainConfig,
): Pick<CatalogueChain, 'name' | 'configured' | 'reader' | 'currencies' | 'offered'> {
  const [chain] = configuredChains({ [name]: { ...entry, block_time_ms: 200, known_tokens: 'listed' } });
  if (chain === undefined) throw new Error(`${name} was not configured`);
  const currencies = chain.definition.currencies.filter(({ enabled }) => enabled);
  const reader = openChain(chain);
  return { name, configured: chain, reader, currencies, offered: currencies.length };
}

function hexOf(text: string): `0x${string}` {
  return `0x${text.slice(2)}`;
}
