// Keeps chains apart: what tells one from another on the wire and in the books may belong to one chain only.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { ConfigError } from './config-error.ts';

/** Every chain numbers its currencies in a block of its own, pinned for ever; the main currency is the first. */
const BLOCK = 1_000;
const PINNED_BLOCKS: ReadonlyMap<number, string> = new Map([
  [1_000, 'ETH'],
  [2_000, 'BSC'],
  [3_000, 'Tron'],
  [4_000, 'WKC'],
]);

type Mark = (chain: ChainDefinition) => string | number;

const MARKS: Readonly<Record<string, Mark>> = {
  name: (chain) => chain.name.toLowerCase(),
  // Without a number yet a chain is off and cannot be taken for another.
  chain_id: (chain) => (chain.chainId === 0 ? chain.name : chain.chainId),
  monitor_chain_id: (chain) => chain.monitorChainId,
  'block of currency ids': (chain) => `${blockOf(chain)} to ${blockOf(chain) + BLOCK - 1}`,
};

/** Takes the configured chains and the known ones that are not configured. Throws ConfigError naming two that clash. */
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
  const block = blockOf(chain);
  const owner = PINNED_BLOCKS.get(block);
  if (owner !== undefined && owner !== chain.name) {
    throw new ConfigError(`${at}: ids ${block} to ${block + BLOCK - 1} belong to ${owner}`);
  }
  for (const [place, { currencyId }] of chain.currencies.entries()) {
    if (place === 0 && currencyId !== block)
      throw new ConfigError(
        `${at}: the main currency takes the first id of its chain's block of ${BLOCK}, such as 5000`,
      );
    if (currencyId < block || currencyId >= block + BLOCK) {
      throw new ConfigError(
        `${at}: currency_id ${currencyId} is outside ${block} to ${block + BLOCK - 1}, the ids of ${chain.name}`,
      );
    }
  }
}

function blockOf(chain: ChainDefinition): number {
  const main = chain.currencies[0]?.currencyId ?? 0;
  return main - (main % BLOCK);
}
