// Keeps chains apart: whatever identifies a chain on the wire or in the books may belong to one chain only.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { blockOf, NUMBERS_PER_CHAIN } from '@ducat/core/chain/currency-numbers';
import { ConfigError } from './config-error.ts';

/** The blocks of currency numbers of the chains that Ducat knows, by their first number. */
const PINNED_BLOCKS: ReadonlyMap<number, string> = new Map([
  [1_000, 'ETH'],
  [2_000, 'BSC'],
  [3_000, 'Tron'],
  [4_000, 'WKC'],
]);

type Mark = (chain: ChainDefinition) => string | number;

const MARKS: Readonly<Record<string, Mark>> = {
  name: (chain) => chain.name.toLowerCase(),
  // A chain without a chain id is off, so it cannot be confused with another.
  chain_id: (chain) => (chain.chainId === 0 ? chain.name : chain.chainId),
  monitor_chain_id: (chain) => chain.monitorChainId,
  'block of currency ids': (chain) =>
    `${blockOf(nativeNumber(chain))} to ${blockOf(nativeNumber(chain)) + NUMBERS_PER_CHAIN - 1}`,
};

/** Takes the configured chains and the known chains that are not configured. Throws ConfigError naming two that clash. */
export function checkChainsApart(chains: readonly ChainDefinition[]): void {
  for (const chain of chains) checkCurrencyIds(chain);
  for (const [what, markOf] of Object.entries(MARKS)) {
    const owners = new Map<string | number, string>();
    for (const chain of chains) {
      const mark = markOf(chain);
      const owner = owners.get(mark);
      if (owner !== undefined)
        throw new ConfigError(`chains: ${owner} and ${chain.name} have the same ${what} (${mark})`);
      owners.set(mark, chain.name);
    }
  }
}

function checkCurrencyIds(chain: ChainDefinition): void {
  const at = `chains.${chain.name}.currencies`;
  const block = blockOf(nativeNumber(chain));
  const owner = PINNED_BLOCKS.get(block);
  if (owner !== undefined && owner !== chain.name) {
    throw new ConfigError(`${at}: ids ${block} to ${block + NUMBERS_PER_CHAIN - 1} belong to ${owner}`);
  }
  for (const [place, { currencyId }] of chain.currencies.entries()) {
    if (place === 0 && currencyId !== block)
      throw new ConfigError(
        `${at}: the native currency takes the first id of its chain's block of ${NUMBERS_PER_CHAIN}, such as 5000`,
      );
    if (currencyId < block || currencyId >= block + NUMBERS_PER_CHAIN) {
      throw new ConfigError(
        `${at}: currency_id ${currencyId} is outside ${block} to ${block + NUMBERS_PER_CHAIN - 1}, the ids of ${chain.name}`,
      );
    }
  }
}

function nativeNumber({ currencies }: ChainDefinition): number {
  return currencies[0]?.currencyId ?? 0;
}
