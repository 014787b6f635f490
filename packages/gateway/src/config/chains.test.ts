// Chains and currencies as an operator may get them wrong, where a mistake would book one coin as another.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { rateAssetOf } from '@ducat/core/chain/currency';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { configuredChains } from './chains.ts';
import { ConfigError } from './config-error.ts';
import { type ChainConfig, configSchema, type CurrencyConfig } from './schema.ts';

const rpc_urls = ['https://a.example/v1/geheim', 'http://10.0.0.5:8545'];
const contract = `0x${'AB'.repeat(20)}`;
const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

/** A chain that nobody will ever add, so that no definition takes its name or numbers. */
const newChain: ChainConfig = {
  rpc_urls,
  chain_id: 990_137,
  network: 'MADE20',
  monitor_chain_id: 90,
  confirmations: 64,
  node_finality: 'finalized',
  block_time_ms: 2_000,
  currencies: [{ currency_id: 99_000, symbol: 'POL', decimals: 18 }],
};

function newChainAt(currency_id: number): Readonly<Record<string, ChainConfig>> {
  return { Made: { ...newChain, currencies: [{ currency_id, symbol: 'POL', decimals: 18 }] } };
}

function refusalOf(chains: Readonly<Record<string, ChainConfig>>): string {
  try {
    configuredChains(chains);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message : '';
  }
  return 'taken';
}

function eth(change: Partial<ChainConfig>): Readonly<Record<string, ChainConfig>> {
  return { ETH: { rpc_urls, ...change } };
}

const dai = { currency_id: 1950, symbol: 'DAI', decimals: 18, contract };

describe('currencies of a chain', () => {
  it.each<readonly [string, readonly CurrencyConfig[], RegExp]>([
    ['a token whose contract was forgotten', [{ ...dai, contract: '' }], /1950 \(DAI\) needs its contract/],
    ['a token without the line', [{ currency_id: 1950, symbol: 'DAI', decimals: 18 }], /1950 \(DAI\) needs/],
    [
      'a known token made the coin',
      [{ currency_id: 1001, contract: '' }],
      /1001 \(USDT\) needs its contract/,
    ],
    ['a contract for the coin', [{ currency_id: 1000, contract }], /first one has to be the native currency/],
    ['other decimals for the coin', [{ currency_id: 1000, decimals: 6 }], /1000 .*has 18 decimals/],
    [
      'one contract twice',
      [dai, { ...dai, currency_id: 1951 }],
      /1950 \(DAI\) and currency 1951 \(DAI\) have/,
    ],
    [
      'the contract of a known one beside that one',
      [{ currency_id: 1001 }, { ...dai, contract: usdt }],
      /1001 \(USDT\) and currency 1950/,
    ],
    [
      'a rate asset that is none',
      [{ ...dai, rate_asset: 'DIA' }],
      /rate_asset "DIA" of currency 1950 is not one/,
    ],
    ['one id twice', [dai, { ...dai, contract: usdt }], /currency_id 1950 stands there twice/],
    ['a known id twice', [1001, 1001].map((currency_id) => ({ currency_id })), /1001 stands there twice/],
    ['an id of another chain', [{ ...dai, currency_id: 2050 }], /2050 is outside 1000 to 1999/],
    ['an id below its block', [{ ...dai, currency_id: 999 }], /999 is outside 1000 to 1999/],
    ['a new one without decimals', [{ currency_id: 1950, symbol: 'DAI', contract }], /needs symbol and dec/],
    [
      'a contract with a typing error',
      [{ ...dai, contract: '0xdAC17F958D2ee523a2206206994597C13D831ec8' }],
      /1950 is not a contract address, or mistyped/,
    ],
    ['a contract that is none', [{ ...dai, contract: '0x12' }], /"0x12" of currency 1950 is not a contract/],
  ])('refuse %s', (_what, currencies, message) => {
    const refusal = refusalOf(eth({ currencies: [...currencies] }));
    expect(refusal).toMatch(/^chains\.ETH\.currencies: /);
    expect(refusal).toMatch(message);
  });

  it('are the known ones with changes, then the new ones, with contracts in one spelling', () => {
    const change = { currency_id: 1001, contract, decimals: 1, enabled: false };
    const coin = { currency_id: 1000, symbol: 'ETHX', contract: '' };
    const [chain] = configuredChains(
      eth({ currencies: [change, coin, { ...dai, contract: `0x${'cd'.repeat(20)}` }] }),
    );
    const currencies = chain?.definition.currencies ?? [];
    const [main, known] = currencies;
    const added = currencies.at(-1);
    expect(main).toMatchObject({ currencyId: 1000, symbol: 'ETHX', contract: null, decimals: 18 });
    const lower = contract.toLowerCase();
    expect(known).toMatchObject({ symbol: 'USDT', contract: lower, decimals: 1, displayDecimals: 1 });
    expect(known?.enabled).toBe(false);
    expect(added).toMatchObject({ currencyId: 1950, symbol: 'DAI', displayDecimals: 8, enabled: true });
  });

  it('are the coin, USDT and USDC where known_tokens says nothing, and all but the odd ones where it says so', () => {
    const on = (change: Partial<ChainConfig>) =>
      ['ETH', 'BSC', 'Tron'].map((name) => {
        const [chain] = configuredChains({ [name]: { rpc_urls, ...change } });
        return chain?.definition.currencies.filter(({ enabled }) => enabled).map(({ symbol }) => symbol);
      });
    expect(on({})).toEqual([
      ['ETH', 'USDT', 'USDC'],
      ['BNB', 'USDT', 'USDC'],
      ['TRX', 'USDT'],
    ]);
    expect(on({ known_tokens: 'listed' })).toEqual([['ETH'], ['BNB'], ['TRX']]);
    const known = ['ETH', 'BSC', 'Tron'].map((name) =>
      chainDefinitions
        .filter((definition) => definition.name === name)
        .flatMap(({ currencies }) => currencies.filter(({ enabled }) => enabled).map(({ symbol }) => symbol)),
    );
    expect(on({ known_tokens: 'all' })).toEqual(known);
  });

  it('are the coin and what is listed alone, where known_tokens says so', () => {
    const bsc: ChainConfig = { rpc_urls, known_tokens: 'listed', currencies: [{ currency_id: 2001 }] };
    const [chain] = configuredChains({ BSC: bsc });
    const on = chain?.definition.currencies.filter(({ enabled }) => enabled);
    expect(on?.map(({ symbol }) => symbol)).toEqual(['BNB', 'USDT']);
  });

  it('keep the asset that the sources price them as, whatever they are called', () => {
    const changes = [
      { currency_id: 2011, decimals: 9 },
      { currency_id: 2012, symbol: 'XRPX' },
      { currency_id: 2007, enabled: true },
    ];
    const [chain] = configuredChains({ BSC: { rpc_urls, currencies: changes } });
    const of = (id: number) => chain?.definition.currencies.find(({ currencyId }) => currencyId === id);
    expect([of(2011)?.rateAsset, of(2012)?.rateAsset]).toEqual(['ETH@BSC', 'XRP@BSC']);
    expect(of(2007)).toMatchObject({ symbol: 'BUSD', enabled: true });
  });
});

describe('currencies of Tron', () => {
  const tron = (contract: string) => ({
    Tron: { rpc_urls, currencies: [{ currency_id: 3001 }, { ...dai, currency_id: 3050, contract }] },
  });
  it('are written in any form of an address, and kept in one', () => {
    for (const contract of [
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    ])
      expect(refusalOf(tron(contract))).toMatch(
        /3001 \(USDT\) and currency 3050 \(DAI\) have the same contract/,
      );
  });
  it.each(['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', 'a0a614f803b6fd780986a42c78ec9c7f77e6ded13c'])(
    'refuse %s',
    (contract) => {
      expect(refusalOf(tron(contract))).toMatch(/3050 is not a contract address/);
    },
  );
});

describe('chains', () => {
  it.each<readonly [string, Readonly<Record<string, ChainConfig>>, RegExp]>([
    ['no node', eth({ rpc_urls: [] }), /^chains\.ETH\.rpc_urls: at least one/],
    ['a node that is no address', eth({ rpc_urls: ['nonsense'] }), /^chains\.ETH\.rpc_urls\[0\]: must be an/],
    ['a node of another kind', eth({ rpc_urls: ['ws://a.example'] }), /rpc_urls\[0\]: must/],
    [
      'one node twice',
      eth({ rpc_urls: ['http://a', 'HTTP://me:pw@A:80/'] }),
      /rpc_urls\[1\]: is the same node/,
    ],
    ['one node with the dot of the root', eth({ rpc_urls: ['http://a.b', 'http://a.b./'] }), /same node/],
    ...['127.0.0.1', '127.0.0.2', '[::1]', 'localhost.', 'a.localhost', '[::ffff:127.0.0.1]'].map(
      (host): readonly [string, Readonly<Record<string, ChainConfig>>, RegExp] => [
        `this machine as ${host}`,
        eth({ rpc_urls: ['http://localhost:8545', `http://${host}:8545`] }),
        /rpc_urls\[1\]: is the same node/,
      ],
    ),
    ['a quorum that can never be', eth({ quorum: 3 }), /^chains\.ETH\.quorum: .*never agree \(there are 2\)/],
    [
      'an explorer that is a script',
      eth({ explorer_url: 'javascript:1' }),
      /^chains\.ETH\.explorer_url: must/,
    ],
    [
      'a password shown to all',
      eth({ public_rpc_url: 'http://a:b@c' }),
      /^chains\.ETH\.public_rpc_url: is sh/,
    ],
    ['a "?" at the end', eth({ explorer_url: 'https://a.example/?' }), /explorer_url: is shown to everybody/],
    ['a "#" at the end', eth({ explorer_url: 'https://a.example/#' }), /explorer_url: is shown to everybody/],
    ['a window within the confirmations', eth({ window_blocks: 12 }), /^chains\.ETH\.window_blocks: must/],
    ['WKC without its number', { WKC: { rpc_urls } }, /^chains\.WKC\.chain_id: has to be stated/],
    [
      'a new chain half stated',
      { Made: { rpc_urls, chain_id: 990_137 } },
      /^chains\.Made\.confirmations: has to/,
    ],
    ['a new chain without a coin', { Made: { ...newChain, currencies: [] } }, /native currency/],
    ['the chain id of another', eth({ chain_id: 56 }), /ETH and BSC have the same chain_id \(56\)/],
    [
      'the monitor id of another',
      { Made: { ...newChain, monitor_chain_id: 2 } },
      /Made and BSC have .*monitor/,
    ],
    [
      'a solidity address for ETH',
      eth({ solidity_urls: rpc_urls }),
      /^chains\.ETH\.solidity_urls: is not for chains of the family evm/,
    ],
    [
      'fewer solidity addresses than nodes',
      { Tron: { rpc_urls, solidity_urls: ['http://a'] } },
      /^chains\.Tron\.solidity_urls: needs one address for each/,
    ],
    [
      'addresses of Tron that are emptied together',
      { Tron: { rpc_urls, collection: { daily_budget: '1', sponsored: true } } },
      /^chains\.Tron\.collection\.sponsored: is not for chains of the family tron/,
    ],
    ['a name in another case', { Eth: newChain }, /Eth and ETH have the same name/],
    [
      'two new chains in one block of ids',
      { Made: newChain, More: { ...newChain, chain_id: 990_161, monitor_chain_id: 91 } },
      /Made and More have the same block of currency ids \(99000 to 99999\)/,
    ],
    ['the ids of ETH for a new chain', newChainAt(1000), /^chains\.Made\.currencies: ids 1000 .* to ETH/],
    ['the ids of Tron for a new chain', newChainAt(3000), /ids 3000 to 3999 belong to Tron/],
    ['the ids of WKC for a new chain', newChainAt(4000), /ids 4000 to 4999 belong to WKC/],
    ['a native currency inside a block', newChainAt(99_007), /first id of its chain's block/],
  ])('are refused with %s', (_what, chains, message) => {
    const refusal = refusalOf(chains);
    expect(refusal).toMatch(message);
    expect(refusal).not.toContain('geheim');
  });

  it.each([
    [1, undefined, 1],
    [2, undefined, 2],
    [3, undefined, 2],
    [3, 1, 1],
    [3, 3, 3],
  ])('with %i providers and quorum %s need %i that report the same', (count, quorum, needed) => {
    const urls = Array.from({ length: count }, (_, place) => `http://10.0.0.${place}`);
    const [chain] = configuredChains(eth({ rpc_urls: urls, ...(quorum === undefined ? {} : { quorum }) }));
    expect(chain?.nodes.quorum).toBe(needed);
  });

  it('can be new', () => {
    const [chain] = configuredChains({ Made: newChain });
    expect(chain).toMatchObject({
      on: true,
      nodes: { rpcUrls: rpc_urls },
      definition: { name: 'Made', chainId: 990_137 },
    });
  });

  it('that are off are kept with their currencies, even before they have a node', () => {
    const off = { enabled: false, rpc_urls: [], currencies: [{ ...dai, currency_id: 4001 }] };
    const [chain] = configuredChains({ WKC: off });
    expect(chain?.on).toBe(false);
    expect(chain?.definition.currencies.map(({ currencyId }) => currencyId)).toEqual([4000, 4001]);
    const wrong = { ...off, currencies: [{ ...dai, currency_id: 4001, contract: '' }] };
    expect(refusalOf({ WKC: wrong })).toContain('needs its contract');
  });
});

describe("an operator's own token", () => {
  const link = '0x514910771af9ca656af840dff83e8264ecf986ca';
  const own = (entry: CurrencyConfig) => {
    const [chain] = configuredChains(eth({ currencies: [entry] }));
    const currencies = chain?.definition.currencies ?? [];
    return {
      currency: currencies.find(({ currencyId }) => currencyId === entry.currency_id),
      currencies,
      warnings: chain?.warnings ?? [],
    };
  };

  it('keeps its number and its contract, which the catalogue has under another one by now', () => {
    const entry = { currency_id: 1003, symbol: 'LINK', decimals: 18, contract: link };
    const { currency, currencies, warnings } = own(entry);
    expect(currency).toMatchObject({ symbol: 'LINK', contract: link, displayDecimals: 8, enabled: true });
    expect(currency && rateAssetOf(currency)).toBe('LINK');
    expect(currencies.filter(({ contract: each }) => each === link)).toEqual([currency]);
    expect(currencies.some(({ currencyId }) => currencyId === 1020)).toBe(false);
    expect(warnings).toEqual([
      'chains.ETH.currencies: currency 1020 (LINK) of the catalogue is left out, as currency 1003 (LINK) has its contract',
      expect.stringMatching(
        /1003 \(LINK\) is yours .* nothing of currency 1003 \(DAI\) in the catalogue holds for it$/,
      ),
    ]);
  });

  it('takes nothing from what the catalogue has under its number', () => {
    // 1026 is off in the catalogue, 1001 has two digits and a price.
    const stated = { symbol: 'MINE', decimals: 6, contract };
    for (const currency_id of [1026, 1001, 1047]) {
      const { currency } = own({ ...stated, currency_id });
      expect(currency).toEqual({
        currencyId: currency_id,
        symbol: 'MINE',
        rateAsset: null,
        contract: contract.toLowerCase(),
        decimals: 6,
        displayDecimals: 6,
        enabled: true,
      });
    }
  });

  it('has no price by its symbol alone, and a start says which line gives it one', () => {
    const dai_ = { currency_id: 1900, symbol: 'DAI', decimals: 18, contract };
    const { currency, warnings } = own(dai_);
    expect(currency?.rateAsset).toBeNull();
    expect(warnings).toEqual([
      'chains.ETH.currencies: currency 1900 (DAI) has no price in fiat; if it is DAI itself, add rate_asset = "DAI"',
    ]);
    expect(own({ ...dai_, symbol: 'MINE' }).warnings).toEqual([]);
    const priced = own({ ...dai_, rate_asset: 'DAI' });
    expect([priced.currency?.rateAsset, priced.warnings]).toEqual(['DAI', []]);
  });

  it('needs a rate_asset as the coin of a new chain too', () => {
    const [chain] = configuredChains({ Made: newChain });
    expect(chain?.definition.currencies[0]?.rateAsset).toBeNull();
    expect(chain?.warnings).toEqual([expect.stringContaining('add rate_asset = "POL"')]);
  });

  it('is not made by an entry without a symbol, which says where a known token lives', () => {
    const { currency, warnings } = own({ currency_id: 1001, contract });
    expect(currency).toMatchObject({ symbol: 'USDT', decimals: 6, displayDecimals: 2 });
    expect(currency && rateAssetOf(currency)).toBe('USDT');
    expect(warnings).toEqual([]);
  });

  it('that is odd stays off where it is merely listed, and a start says so', () => {
    const { currency, warnings } = own({ currency_id: 1026 });
    expect(currency).toMatchObject({ enabled: false, offReason: 'superseded by POL' });
    expect(warnings).toEqual([
      'chains.ETH.currencies: currency 1026 (MATIC) stays off (superseded by POL); enabled = true takes it all the same',
    ]);
    expect(own({ currency_id: 1026, enabled: true })).toMatchObject({
      currency: { enabled: true },
      warnings: [],
    });
    expect(own({ currency_id: 1026, enabled: false }).warnings).toEqual([]);
  });
});

describe('the schema of chains', () => {
  it.each<readonly [string, object]>([
    ['a name with a dash', { 'my-chain': { rpc_urls } }],
    ['a name of one letter', { E: { rpc_urls } }],
    ['a short genesis hash', eth({ genesis_hash: 'abc' })],
    ['a currency id beyond the column', eth({ currencies: [{ currency_id: 3_000_000_000 }] })],
    ['a window that takes all memory', eth({ window_blocks: 1_000_001 })],
    ['confirmations that take all memory', eth({ confirmations: 100_001 })],
    ['traces of another kind', { ETH: { rpc_urls, traces: 'trace' } }],
    ['a chain id of zero', eth({ chain_id: 0 })],
    ['an empty symbol', eth({ currencies: [{ currency_id: 1900, symbol: '' }] })],
    ['a symbol of 33 characters', eth({ currencies: [{ currency_id: 1900, symbol: 'A'.repeat(33) }] })],
    ['a symbol with a line break', eth({ currencies: [{ currency_id: 1900, symbol: 'A\nB' }] })],
  ])('refuses %s', (_what, chains) => {
    expect(Value.Check(configSchema, { chains: eth({ genesis_hash: `0x${'0a'.repeat(32)}` }) })).toBe(true);
    expect(Value.Check(configSchema, { chains })).toBe(false);
  });
});
