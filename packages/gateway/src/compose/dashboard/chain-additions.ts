// Checks the chains and tokens that an operator adds, by the rules of the file and by their nodes, and seals them.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { chainsToSetUp } from '@ducat/core/chain/definitions/index';
import { freeBlock, freeTokenNumber, NUMBERS_PER_CHAIN } from '@ducat/core/chain/currency-numbers';
import { addressSchemes } from '../../chains/address-schemes.ts';
import { readTokenFacts } from '../../chains/evm/balances/token-facts.ts';
import type { HttpPost } from '../../chains/rpc/http-post.ts';
import { chainText, tokenText } from '../../config/additions/section-text.ts';
import {
  type AddedChain,
  type AddedToken,
  isInFile,
  withChain,
  withToken,
} from '../../config/additions/with-additions.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { ConfiguredChain } from '../../config/chains.ts';
import type { Config } from '../../config/load-config.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { readAddedChains, readAddedTokens } from '../../db/tables/added-chains.ts';
import { readCurrencies } from '../../db/tables/currencies.ts';
import { pricedAssets } from '../../rates/assets.ts';
import type {
  ChainAdditions,
  ChainTerms,
  ChainWish,
  CheckedChain,
  CheckedToken,
  Listed,
  PinnedChain,
  TokenName,
  TokenWish,
} from '../../roles/dashboard/operator/additions-port.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import { additionSealing, readAdditions, sealedName, withStored } from '../additions/stored-additions.ts';
import { askChain } from './chain-check.ts';

/** The block time where the nodes do not show it. Used for pacing and alarms only. */
const USUAL_BLOCK_MS = 3_000;

interface Working {
  /** The configuration in force in this process, with what was added before its start. */
  readonly config: Config;
  /** The configuration of the file alone. */
  readonly ofFile: Config;
  readonly reader: Reader;
  readonly world: World;
  /** Reaches public nodes, and those in networks that the file names. */
  readonly http: HttpPost;
}

export function createChainAdditions(working: Working): ChainAdditions {
  return {
    checkChain: (wish, isChange) => checkChain(working, wish, isChange),
    checkToken: (wish, name, changed) => checkToken(working, wish, name, changed),
    list: () => list(working),
    pinned: pinnedChains(working.ofFile),
    rateAssets: pricedAssets,
  };
}

function pinnedChains({ chains, chainsOff }: Config): readonly PinnedChain[] {
  const isOn = (name: string) => chains.some(({ definition }) => definition.name === name);
  return chainsToSetUp
    .filter(({ name }) => !isOn(name))
    .map((definition) => {
      const { name, network } = definition;
      const { symbol, currencyId } = nativeCurrency(definition);
      const isOff = chainsOff.some((off) => off.name === name);
      return { name, network, coinSymbol: symbol, firstNumber: currencyId, isInFile: isOff };
    });
}

async function checkChain(
  { ofFile, reader, world, http }: Working,
  wish: ChainWish,
  isChange: boolean,
): Promise<CheckedChain> {
  const { config: stored } = await withStored(ofFile, reader, {
    without: isChange ? { chain: wish.name, currencyId: null } : null,
    isStart: false,
  });
  const before = await pinnedNumber(reader, wish.name, '');
  const pinned = chainsToSetUp.find(({ name }) => name === wish.name);
  const block =
    before ??
    (pinned === undefined
      ? freeBlock(await numbersTaken(stored, reader))
      : nativeCurrency(pinned).currencyId);
  const draft = (blockMs: number, genesis: string | null): AddedChain => ({
    name: wish.name,
    section: { ...sectionOf(wish, block, blockMs, genesis), ...windowOf(wish, pinned) },
  });
  const added = (chain: AddedChain) => configuredIn(withChain(stored, chain), wish.name);
  const nothing = { coinId: block, coinSymbol: wish.coin_symbol, coinDecimals: 18, blockMs: null };
  try {
    if (isInFile(ofFile, wish.name, null))
      throw new ConfigError(
        `chains.${wish.name}: stands in the configuration file. It is set up there or on the dashboard, not by both: change it there, or take it out of the file and start the gateway`,
      );
    const asked = await askChain(added(draft(USUAL_BLOCK_MS, null)), world, http);
    const final = draft(Math.max(1, asked.blockMs ?? USUAL_BLOCK_MS), asked.genesisHash);
    added(final);
    const text = JSON.stringify(final.section);
    const seal = () => additionSealing(ofFile).seal(sealedName.chain(wish.name), text, world);
    return { ...asked, sealed: asked.trouble === null ? seal() : null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const none = { genesisHash: null, providers: [], warnings: [], sealed: null };
    return { ...nothing, ...none, trouble: error.message };
  }
}

function sectionOf(
  wish: ChainWish,
  block: number,
  blockMs: number,
  genesis: string | null,
): AddedChain['section'] {
  const { coin_rate_asset: asset, explorer_url: explorer } = wish;
  return {
    rpc_urls: [...wish.node_urls],
    network: wish.network,
    chain_id: wish.chain_id,
    ...(genesis === null ? {} : { genesis_hash: genesis }),
    monitor_chain_id: block / NUMBERS_PER_CHAIN,
    confirmations: wish.confirmations,
    node_finality: wish.node_finality,
    block_time_ms: blockMs,
    ...(explorer === undefined ? {} : { explorer_url: explorer }),
    currencies: [
      {
        currency_id: block,
        symbol: wish.coin_symbol,
        decimals: 18,
        ...(asset === null ? {} : { rate_asset: asset }),
      },
    ],
  };
}

/** A known chain keeps its own window, unless that is too small for the confirmations. */
function windowOf(
  { confirmations }: ChainWish,
  pinned: ChainDefinition | undefined,
): Pick<AddedChain['section'], 'window_blocks'> {
  if (pinned === undefined) return {};
  return { window_blocks: Math.max(pinned.windowBlocks, 2 * confirmations + 64) };
}

/** The number that a coin or token had before, which is its number for ever; null where it is new. */
async function pinnedNumber(reader: Reader, chain: string, contract: string): Promise<number | null> {
  const pinned = await readCurrencies(reader);
  return pinned.find((one) => one.chain === chain && one.contract === contract)?.currencyId ?? null;
}

/** Every currency number that the configuration or a pinned row has. */
async function numbersTaken({ chains, chainsOff }: Config, reader: Reader): Promise<readonly number[]> {
  const pinned = await readCurrencies(reader);
  const definitions = [...chains.map(({ definition }) => definition), ...chainsOff];
  const configured = definitions.flatMap(({ currencies, monitorChainId }) => [
    monitorChainId * NUMBERS_PER_CHAIN,
    ...currencies.map(({ currencyId }) => currencyId),
  ]);
  return [...pinned.map(({ currencyId }) => currencyId), ...configured];
}

function configuredIn({ chains }: Config, name: string): ConfiguredChain {
  const chain = chains.find(({ definition }) => definition.name === name);
  if (chain === undefined) throw new ConfigError(`chains.${name}: the chain is not on`);
  return chain;
}

async function checkToken(
  { ofFile, reader, world, http }: Working,
  { chain: name, contract: typed }: TokenWish,
  as: TokenName | null,
  changed: number | null,
): Promise<CheckedToken> {
  const key = changed === null ? null : { chain: name, currencyId: changed };
  const { config: stored } = await withStored(ofFile, reader, { without: key, isStart: false });
  const nothing = { currencyId: 0, contract: null, symbol: null, decimals: null, warnings: [], sealed: null };
  try {
    const chain = configuredIn(stored, name);
    const { definition, nodes } = chain;
    if (definition.family !== 'evm') throw new ConfigError(`tokens of ${name} are added in the file alone`);
    const contract = addressSchemes.evm.canonical(typed);
    if (contract === null) throw new ConfigError('this is no address of a contract, or mistyped');
    const currencyId =
      (await pinnedNumber(reader, name, contract)) ??
      freeTokenNumber(nativeCurrency(definition).currencyId, await numbersTaken(stored, reader));
    if (currencyId === null) throw new ConfigError(`${name} has no number left for another token`);
    const node = nodes.onlyPublicBut === undefined ? {} : { http };
    const facts = await readTokenFacts({ definition, rpcUrls: nodes.rpcUrls, world, ...node }, contract);
    if (facts === null) throw new ConfigError(`there is no contract at this address of ${name}`);
    const { symbol, decimals } = facts;
    const known = { currencyId, contract, symbol, decimals };
    if (decimals === null)
      return { ...nothing, ...known, trouble: 'the contract does not give its decimals' };
    const entry: AddedToken['entry'] = {
      currency_id: currencyId,
      symbol: as?.symbol ?? symbol ?? 'TOKEN',
      contract: addressSchemes.evm.display(contract),
      decimals,
      ...(as === null || as.rateAsset === null ? {} : { rate_asset: as.rateAsset }),
    };
    const grown = configuredIn(withToken(stored, { chain: name, entry }), name);
    const warnings = grown.warnings.slice(chain.warnings.length);
    const sealing = additionSealing(ofFile);
    const sealed =
      as === null ? null : sealing.seal(sealedName.token(name, currencyId), JSON.stringify(entry), world);
    return { ...known, warnings, trouble: null, sealed };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof Outage)
      return { ...nothing, trouble: error.message };
    throw error;
  }
}

function nameOf(chain: string, currencyId: number): string {
  return `${chain} ${currencyId}`;
}

/** The values that a form for a change begins with. The addresses of nodes are left out, because they may hold keys. */
function termsOf({ section }: AddedChain): ChainTerms {
  const [coin] = section.currencies ?? [];
  return {
    network: section.network ?? '',
    chain_id: section.chain_id ?? 0,
    coin_symbol: coin?.symbol ?? '',
    coin_rate_asset: coin?.rate_asset ?? null,
    confirmations: section.confirmations ?? 1,
    node_finality: section.node_finality ?? 'finalized',
    ...(section.explorer_url === undefined ? {} : { explorer_url: section.explorer_url }),
  };
}

async function list({ config, ofFile, reader }: Working): Promise<readonly Listed[]> {
  const { chains, tokens } = await readAdditions(config, reader, false);
  const { leftOut } = await withStored(ofFile, reader, { isStart: false });
  const missing = new Map(leftOut.map((one) => [one.name, one]));
  const sections = new Map([
    ...chains.map((chain) => [chain.name, chainText(chain)] as const),
    ...tokens.map((token) => [nameOf(token.chain, token.entry.currency_id), tokenText(token)] as const),
  ]);
  const chainTerms = new Map(chains.map((chain) => [chain.name, termsOf(chain)] as const));
  const tokenTerms = new Map(
    tokens.map(({ chain, entry }) => {
      const { currency_id: id, symbol = '', rate_asset: rateAsset = null } = entry;
      return [nameOf(chain, id), { symbol, rateAsset }] as const;
    }),
  );
  const inForce = new Set(
    config.chains.flatMap(({ definition: { name, currencies } }) => [
      name,
      ...currencies.map(({ currencyId }) => nameOf(name, currencyId)),
    ]),
  );
  const rows = [
    ...(await readAddedChains(reader)).map((row) => ({ ...row, currencyId: null, name: row.chain })),
    ...(await readAddedTokens(reader)).map((row) => ({ ...row, name: nameOf(row.chain, row.currencyId) })),
  ];
  // A removed row is shown while this process still has it in force, which is until its restart.
  const shown = rows.filter(({ name, removedAtMs }) => removedAtMs === null || inForce.has(name));
  return shown.map(({ name, chain, currencyId, addedByName, addedAtMs, removedAtMs }) => ({
    name,
    chain,
    currencyId,
    addedBy: addedByName,
    addedAtMs,
    section: sections.get(name) ?? '',
    isInForce: inForce.has(name),
    isRemoved: removedAtMs !== null,
    chainTerms: currencyId === null ? (chainTerms.get(name) ?? null) : null,
    tokenTerms: currencyId === null ? null : (tokenTerms.get(name) ?? null),
    leftOut: missing.get(name) ?? null,
  }));
}
