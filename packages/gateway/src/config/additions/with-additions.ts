// Joins the additions of the dashboard to the configuration of the file, by the rules of the file. The file wins.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { chainDefinitions, chainsToSetUp } from '@ducat/core/chain/definitions/index';
import { addressSchemes } from '../../chains/address-schemes.ts';
import { type ConfiguredChain, configuredChain } from '../chains.ts';
import { checkChainsApart } from '../chains-apart.ts';
import { ConfigError } from '../config-error.ts';
import { mergedCurrencies } from '../currencies.ts';
import type { Config } from '../load-config.ts';
import type { ChainConfig, CurrencyConfig } from '../schema.ts';

export interface AddedChain {
  readonly name: string;
  /** The section as it would be in the file. */
  readonly section: ChainConfig;
}

export interface AddedToken {
  readonly chain: string;
  readonly entry: CurrencyConfig;
}

export interface Additions {
  readonly chains: readonly AddedChain[];
  readonly tokens: readonly AddedToken[];
}

/** An addition that is left out of the configuration. */
export interface LeftOut {
  /** The chain, or for a token the chain and its number. */
  readonly name: string;
  readonly chain: string;
  /** The number of a token; null for a chain. */
  readonly currencyId: number | null;
  readonly reason: string;
  /** Whether the file has the chain or token by now, so that nothing is missing. */
  readonly isInFile: boolean;
}

/** An addition that cannot be joined is left out and named. The file may have changed since, and the file wins. */
export function withAdditions(
  config: Config,
  { chains, tokens }: Additions,
): { readonly config: Config; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  let joined = config;
  const join = (
    what: Pick<LeftOut, 'name' | 'chain' | 'currencyId'>,
    isKnown: boolean,
    add: () => Config,
  ) => {
    try {
      joined = add();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const reason = isKnown
        ? `chains.${what.name}: stands in the configuration file and was added on the dashboard; the file counts`
        : error.message;
      leftOut.push({ ...what, isInFile: isKnown, reason });
    }
  };
  for (const chain of chains) {
    const { name } = chain;
    join({ name, chain: name, currencyId: null }, isInFile(config, name, null), () =>
      withChain(joined, chain),
    );
  }
  for (const token of tokens) {
    const { chain, entry } = token;
    const { currency_id: currencyId } = entry;
    const name = `${chain} ${currencyId}`;
    join({ name, chain, currencyId }, isInFile(config, chain, currencyId), () => withToken(joined, token));
  }
  return { config: joined, leftOut };
}

/** Whether a configuration (of the file alone) has a chain; with a number, whether the chain has that currency. */
export function isInFile({ chains, chainsOff }: Config, name: string, currencyId: number | null): boolean {
  const chain = [...chains.map(({ definition }) => definition), ...chainsOff].find(
    (definition) => definition.name === name,
  );
  if (chain === undefined || currencyId === null) return chain !== undefined;
  return chain.currencies.some((currency) => currency.currencyId === currencyId);
}

/** Throws ConfigError where the configuration has this chain already, or a chain that it could be confused with. */
export function withChain(config: Config, { name, section }: AddedChain): Config {
  const configured = [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
  const names = new Set(configured.map((definition) => definition.name));
  const toSetUp = chainsToSetUp.find((known) => known.name === name && !names.has(name));
  const others = [
    ...configured,
    ...chainDefinitions.filter((known) => !names.has(known.name) && known !== toSetUp),
  ];
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw new ConfigError(`chains.${name}: a chain of this name is known already`);
  if (toSetUp !== undefined) checkPinned(toSetUp, section);
  const chain = configuredChain(name, section);
  checkChainsApart([...others, chain.definition]);
  const nodes = { ...chain.nodes, onlyPublicBut: config.dashboard.privateNodes };
  return { ...config, chains: [...config.chains, { ...chain, nodes }] };
}

/** Throws ConfigError where a section changes what is pinned of a known chain: its network, its numbers or its coin. */
function checkPinned(
  { name, network, monitorChainId, currencies }: ChainDefinition,
  section: ChainConfig,
): void {
  const [coin] = currencies;
  const [stated] = section.currencies ?? [];
  const isSame =
    section.network === network &&
    section.monitor_chain_id === monitorChainId &&
    stated?.currency_id === coin?.currencyId &&
    stated?.symbol === coin?.symbol;
  if (!isSame)
    throw new ConfigError(
      `chains.${name}: its network is ${network} and its coin ${coin?.symbol ?? name}, for ever`,
    );
}

/** Throws ConfigError where the chain is not on, or already has the number or the contract. */
export function withToken(config: Config, { chain: name, entry }: AddedToken): Config {
  const at = `chains.${name}.currencies`;
  const chain = config.chains.find(({ definition }) => definition.name === name);
  if (chain === undefined) throw new ConfigError(`${at}: the chain is not on`);
  const { definition } = chain;
  const contract = addressSchemes[definition.family].canonical(entry.contract ?? '');
  if (contract === null) throw new ConfigError(`${at}: a token needs its contract`);
  const known = definition.currencies.find(
    (currency) => currency.currencyId === entry.currency_id || currency.contract === contract,
  );
  if (known !== undefined)
    throw new ConfigError(
      `${at}: currency ${known.currencyId} (${known.symbol}) has this number or contract already`,
    );
  const merged = mergedCurrencies(at, definition, { currencies: [entry], known_tokens: 'all' });
  const grown: ConfiguredChain = {
    ...chain,
    definition: { ...definition, currencies: merged.currencies },
    warnings: [...chain.warnings, ...merged.warnings],
  };
  const chains = config.chains.map((each) => (each === chain ? grown : each));
  checkChainsApart(chains.map((each) => each.definition));
  return { ...config, chains };
}
