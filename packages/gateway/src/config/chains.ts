// Chains as the operator runs them: a known definition with changes, or a whole new one.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { ConfigError } from './config-error.ts';
import type { ChainConfig, CurrencyConfig } from './schema.ts';

/** A chain that is on, with the addresses of its nodes. */
export interface ConfiguredChain {
  readonly definition: ChainDefinition;
  readonly rpcUrls: readonly string[];
  /** The first block to read on a fresh database; null means from the head on. */
  readonly startBlock: number | null;
  /** Days after which an ended order's address may be handed out again; null keeps it for ever (decision B19). */
  readonly reuseAddressesAfterDays: number | null;
}

/** Every chain of the configuration that is not switched off, checked. */
export function configuredChains(chains: Readonly<Record<string, ChainConfig>>): readonly ConfiguredChain[] {
  const configured = Object.entries(chains)
    .filter(([, chain]) => chain.enabled !== false)
    .map(([name, chain]) => configuredChain(name, chain));
  const ids = configured.flatMap(({ definition }) =>
    definition.currencies.map(({ currencyId }) => currencyId),
  );
  const doubled = ids.find((id, place) => ids.indexOf(id) !== place);
  if (doubled !== undefined) throw new ConfigError(`chains: currency_id ${doubled} is used twice`);
  return configured;
}

function configuredChain(name: string, chain: ChainConfig): ConfiguredChain {
  const known = chainDefinitions.find((definition) => definition.name === name);
  const definition = { ...(known ?? newChain(name, chain)), ...changes(chain) };
  const at = `chains.${name}`;
  if (chain.rpc_urls.length === 0) throw new ConfigError(`${at}.rpc_urls: at least one address is needed`);
  if (definition.chainId === 0) throw new ConfigError(`${at}.chain_id: has to be stated for this chain`);
  if (definition.windowBlocks <= definition.confirmations) {
    throw new ConfigError(
      `${at}.window_blocks: must be more than confirmations (${definition.confirmations})`,
    );
  }
  const currencies = mergedCurrencies(at, definition.currencies, chain.currencies ?? []);
  if (currencies[0] === undefined || currencies[0].contract !== null) {
    throw new ConfigError(`${at}.currencies: the first one has to be the main currency, without a contract`);
  }
  return {
    definition: { ...definition, currencies },
    rpcUrls: chain.rpc_urls,
    startBlock: chain.start_block ?? null,
    reuseAddressesAfterDays: chain.reuse_addresses_after_days ?? null,
  };
}

/** A chain that Ducat has no definition of: everything that decides about money has to be stated. */
function newChain(name: string, chain: ChainConfig): ChainDefinition {
  const { chain_id, confirmations, node_finality, network, monitor_chain_id, block_time_ms } = chain;
  const needed = { chain_id, confirmations, node_finality, network, monitor_chain_id, block_time_ms };
  for (const [entry, value] of Object.entries(needed)) {
    if (value === undefined)
      throw new ConfigError(`chains.${name}.${entry}: has to be stated for a new chain`);
  }
  return {
    name,
    family: 'evm',
    network: network ?? name,
    series: 'ETH',
    monitorChainId: monitor_chain_id ?? 0,
    chainId: chain_id ?? 0,
    genesisHash: null,
    confirmations: confirmations ?? 0,
    nodeFinality: node_finality ?? 'finalized',
    windowBlocks: 2 * (confirmations ?? 0) + 64,
    blockTimeMs: block_time_ms ?? 0,
    traceMethod: 'none',
    explorerUrl: '',
    publicRpcUrl: '',
    currencies: [],
  };
}

function changes(chain: ChainConfig): Partial<ChainDefinition> {
  const overChainId = chain.chain_id === undefined ? {} : { chainId: chain.chain_id, genesisHash: null };
  return {
    // Another chain id is another chain: the known genesis does not hold for it unless it is stated again.
    ...overChainId,
    ...(chain.genesis_hash === undefined ? {} : { genesisHash: chain.genesis_hash.toLowerCase() }),
    ...(chain.confirmations === undefined ? {} : { confirmations: chain.confirmations }),
    ...(chain.node_finality === undefined ? {} : { nodeFinality: chain.node_finality }),
    ...(chain.window_blocks === undefined ? {} : { windowBlocks: chain.window_blocks }),
    ...(chain.block_time_ms === undefined ? {} : { blockTimeMs: chain.block_time_ms }),
    ...(chain.traces === undefined ? {} : { traceMethod: chain.traces }),
    ...(chain.explorer_url === undefined ? {} : { explorerUrl: chain.explorer_url }),
    ...(chain.public_rpc_url === undefined ? {} : { publicRpcUrl: chain.public_rpc_url }),
    ...(chain.network === undefined ? {} : { network: chain.network }),
    ...(chain.monitor_chain_id === undefined ? {} : { monitorChainId: chain.monitor_chain_id }),
  };
}

function mergedCurrencies(
  at: string,
  known: readonly Currency[],
  configured: readonly CurrencyConfig[],
): readonly Currency[] {
  const changed = known.map((currency) => {
    const change = configured.find((entry) => entry.currency_id === currency.currencyId);
    return change === undefined ? currency : withChange(currency, change);
  });
  const added = configured.filter((entry) =>
    known.every((currency) => currency.currencyId !== entry.currency_id),
  );
  return [...changed, ...added.map((entry) => newCurrency(at, entry))];
}

function withChange(currency: Currency, change: CurrencyConfig): Currency {
  return {
    ...currency,
    ...(change.symbol === undefined ? {} : { symbol: change.symbol }),
    ...(change.contract === undefined ? {} : { contract: canonicalContract(change.contract) }),
    ...(change.decimals === undefined ? {} : { decimals: change.decimals }),
    ...(change.display_decimals === undefined ? {} : { displayDecimals: change.display_decimals }),
    ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
  };
}

function newCurrency(at: string, entry: CurrencyConfig): Currency {
  const { symbol, decimals } = entry;
  if (symbol === undefined || decimals === undefined) {
    throw new ConfigError(
      `${at}.currencies: currency ${entry.currency_id} is new and needs symbol and decimals`,
    );
  }
  return {
    currencyId: entry.currency_id,
    symbol,
    contract: canonicalContract(entry.contract ?? ''),
    decimals,
    displayDecimals: Math.min(entry.display_decimals ?? 8, decimals),
    enabled: entry.enabled ?? true,
  };
}

function canonicalContract(contract: string): string | null {
  if (contract === '') return null;
  if (!/^0x[0-9a-fA-F]{40}$/.test(contract)) {
    throw new ConfigError(`currencies: ${JSON.stringify(contract)} is not a contract address`);
  }
  return contract.toLowerCase();
}
