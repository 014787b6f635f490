// Chains as the operator configures them: a known definition with changes, or a new one.
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { defaultQuorum } from '@ducat/core/chain/quorum';
import { addressSchemes } from '../chains/address-schemes.ts';
import { checkChainsApart } from './chains-apart.ts';
import type { CollectionPolicy } from '@ducat/core/collection/policy';
import { collectionPolicy } from './collection.ts';
import { ConfigError } from './config-error.ts';
import { mergedCurrencies } from './currencies.ts';
import type { ChainConfig } from './schema.ts';
import { nodeUrls, publicWebUrl } from './web-url.ts';

/** The addresses of a chain's nodes, and how often each is asked. */
export interface ChainNodes {
  /** At least one where the chain is on. */
  readonly rpcUrls: readonly string[];
  /** Tron: for each RPC address the address that serves solidified data; empty where the same addresses serve it. */
  readonly solidityUrls: readonly string[];
  readonly requestsPerSecond?: number;
  /** How many providers have to report the same. Where it is left out: 2 with two or more providers, else 1. */
  readonly quorum?: number;
  /** For a chain that was added on the dashboard: its nodes must be public, or in these private networks. */
  readonly onlyPublicBut?: readonly string[];
}

/** A chain with a section in the configuration. */
export interface ConfiguredChain {
  readonly definition: ChainDefinition;
  /** False where the operator switched the chain off: it is not read, and refusals name its currencies. */
  readonly on: boolean;
  /** The nodes of the chain, and how they are asked. */
  readonly nodes: ChainNodes;
  /** The first block to read on a fresh database; null means a little below the head. */
  readonly startBlock: number | null;
  /** Warnings about currencies that may not be configured as meant, a sentence for each. */
  readonly warnings: readonly string[];
  /** Days after which an ended order's address may be handed out again; null keeps it for ever (decision B19). */
  readonly reuseAddressesAfterDays: number | null;
  /** When deposit addresses are collected; null where they are not. */
  readonly collection: CollectionPolicy | null;
  /** Cold addresses that money may be sent to, canonical. The signer has a list of its own. */
  readonly cold: readonly string[];
}

/** Every chain of the configuration, also those that are switched off, checked. Throws ConfigError. */
export function configuredChains(chains: Readonly<Record<string, ChainConfig>>): readonly ConfiguredChain[] {
  const configured = Object.entries(chains).map(([name, chain]) => configuredChain(name, chain));
  const definitions = configured.map(({ definition }) => definition);
  const others = chainDefinitions.filter(({ name }) => !(name in chains));
  checkChainsApart([...definitions, ...others]);
  return configured;
}

/** One chain by its section. It is not compared with other chains here. Throws ConfigError. */
export function configuredChain(name: string, chain: ChainConfig): ConfiguredChain {
  const known = chainDefinitions.find((definition) => definition.name === name);
  const at = `chains.${name}`;
  const definition = { ...(known ?? newChain(name, chain)), ...changes(at, known, chain) };
  const on = chain.enabled !== false;
  const rpcUrls = nodeUrls(`${at}.rpc_urls`, chain.rpc_urls);
  if (on) checkReady(at, definition, rpcUrls);
  if (definition.windowBlocks <= definition.confirmations) {
    throw new ConfigError(
      `${at}.window_blocks: must be more than confirmations (${definition.confirmations})`,
    );
  }
  checkNodeEntries(at, definition, chain);
  const { currencies, warnings } = mergedCurrencies(`${at}.currencies`, definition, chain);
  return {
    definition: { ...definition, currencies },
    on,
    nodes: {
      rpcUrls,
      solidityUrls: solidityUrls(at, chain),
      quorum: quorumOf(at, chain),
      ...(chain.requests_per_second === undefined ? {} : { requestsPerSecond: chain.requests_per_second }),
    },
    startBlock: chain.start_block ?? null,
    warnings,
    reuseAddressesAfterDays: chain.reuse_addresses_after_days ?? null,
    collection: collectionPolicy(at, { ...definition, currencies }, chain),
    cold: coldAddresses(at, definition, chain),
  };
}

function coldAddresses(
  at: string,
  { name, family }: ChainDefinition,
  { cold = [] }: ChainConfig,
): readonly string[] {
  return cold.map((text) => {
    const canonical = addressSchemes[family].canonical(text);
    if (canonical !== null) return canonical;
    throw new ConfigError(`${at}.cold: ${text} is no address of ${name}`);
  });
}

function quorumOf(at: string, { quorum, rpc_urls, enabled }: ChainConfig): number {
  if (quorum === undefined) return defaultQuorum(rpc_urls.length);
  // A chain that is off may not have its addresses yet.
  if (enabled === false || quorum <= rpc_urls.length) return quorum;
  const have = `there are ${rpc_urls.length}`;
  throw new ConfigError(`${at}.quorum: more than the addresses in rpc_urls can never agree (${have})`);
}

type NodeEntry = 'solidity_urls' | 'requests_per_second';

/** The entries that only the nodes of one family have. */
const nodeEntries: Readonly<Record<ChainFamily, readonly NodeEntry[]>> = {
  evm: [],
  tron: ['solidity_urls', 'requests_per_second'],
};

function checkNodeEntries(at: string, { family }: ChainDefinition, chain: ChainConfig): void {
  const foreign = Object.values(nodeEntries)
    .flat()
    .find((entry) => chain[entry] !== undefined && !nodeEntries[family].includes(entry));
  if (foreign !== undefined)
    throw new ConfigError(`${at}.${foreign}: is not for chains of the family ${family}`);
}

/** One address for each node, or none at all. */
function solidityUrls(at: string, chain: ChainConfig): readonly string[] {
  const urls = nodeUrls(`${at}.solidity_urls`, chain.solidity_urls ?? []);
  if (urls.length === 0) return urls;
  if (urls.length === chain.rpc_urls.length) return urls;
  throw new ConfigError(
    `${at}.solidity_urls: needs one address for each of rpc_urls, in their order, or none`,
  );
}

/** Checks what a chain that is on needs. A chain that is off may still lack it. */
function checkReady(at: string, definition: ChainDefinition, rpcUrls: readonly string[]): void {
  if (rpcUrls.length === 0) throw new ConfigError(`${at}.rpc_urls: at least one address is needed`);
  if (definition.chainId === 0) throw new ConfigError(`${at}.chain_id: has to be stated for this chain`);
}

/** A chain without a definition in Ducat. Everything that decides about money has to be stated. */
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

function changes(
  at: string,
  known: ChainDefinition | undefined,
  chain: ChainConfig,
): Partial<ChainDefinition> {
  const { chain_id } = chain;
  const overChainId =
    chain_id === undefined || chain_id === known?.chainId ? {} : { chainId: chain_id, genesisHash: null };
  return {
    // Another chain id is another chain, so the known genesis does not apply. The section may state a genesis.
    ...overChainId,
    ...(chain.genesis_hash === undefined ? {} : { genesisHash: chain.genesis_hash.toLowerCase() }),
    ...(chain.confirmations === undefined ? {} : { confirmations: chain.confirmations }),
    ...(chain.node_finality === undefined ? {} : { nodeFinality: chain.node_finality }),
    ...(chain.window_blocks === undefined ? {} : { windowBlocks: chain.window_blocks }),
    ...(chain.block_time_ms === undefined ? {} : { blockTimeMs: chain.block_time_ms }),
    ...(chain.traces === undefined ? {} : { traceMethod: chain.traces }),
    ...(chain.explorer_url === undefined
      ? {}
      : { explorerUrl: shownUrl(`${at}.explorer_url`, chain.explorer_url) }),
    ...(chain.public_rpc_url === undefined
      ? {}
      : { publicRpcUrl: shownUrl(`${at}.public_rpc_url`, chain.public_rpc_url) }),
    ...(chain.network === undefined ? {} : { network: chain.network }),
    ...(chain.monitor_chain_id === undefined ? {} : { monitorChainId: chain.monitor_chain_id }),
  };
}

function shownUrl(entry: string, text: string): string {
  return text === '' ? '' : publicWebUrl(entry, text);
}
