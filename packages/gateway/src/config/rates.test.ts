// The section [rates]: what holds without an entry, and what is refused by name.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { priceSources } from '../rates/price-sources.ts';
import { ConfigError } from './config-error.ts';
import { ratesConfig } from './rates.ts';
import { type ConfigFile, fiatSourceNames, rateSourceNames } from './schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-rates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(rates: ConfigFile['rates'], demo: boolean = false) {
  return ratesConfig({ demo, ...(rates === undefined ? {} : { rates }) }, folder);
}

describe('ratesConfig', () => {
  it('knows the sources that there are, and no other', () => {
    expect([...rateSourceNames].toSorted()).toEqual(Object.keys(priceSources).toSorted());
  });

  it('knows which of them price coins', () => {
    const kinds = Object.entries(priceSources).map(([name, create]) => [name, create().kind]);
    const known = rateSourceNames.map((name) => [name, fiatSourceNames.has(name) ? 'fiat' : 'coin']);
    expect(known).toEqual(kinds);
  });

  it('is none without a section', () => {
    expect(read(undefined)).toEqual({ source: 'none', maxAgeSeconds: 120 });
  });

  it('asks every source where the market is chosen and nothing else said', () => {
    expect(read({ source: 'market' })).toEqual({
      source: 'market',
      maxAgeSeconds: 120,
      maxFiatAgeHours: 48,
      minSources: 2,
      singleSource: [],
      maxSpreadBasisPoints: 200,
      sources: rateSourceNames.map((name) => ({ name, url: null })),
      coingeckoKey: null,
    });
  });

  it('takes what the operator says', () => {
    writeFileSync(join(folder, 'key'), 'CG-key-of-the-operator\n', { mode: 0o600 });
    chmodSync(join(folder, 'key'), 0o600);
    const read_ = read({
      source: 'market',
      max_age_seconds: 30,
      max_fiat_age_hours: 24,
      min_sources: 1,
      single_source: ['BTCB'],
      max_spread_basis_points: 50,
      sources: ['okx', 'ecb'],
      coingecko_key_file: 'key',
      urls: { okx: 'http://127.0.0.1:9/okx' },
    });
    expect(read_).toEqual({
      source: 'market',
      maxAgeSeconds: 30,
      maxFiatAgeHours: 24,
      minSources: 1,
      singleSource: ['BTCB'],
      maxSpreadBasisPoints: 50,
      sources: [
        { name: 'okx', url: 'http://127.0.0.1:9/okx' },
        { name: 'ecb', url: null },
      ],
      coingeckoKey: 'CG-key-of-the-operator',
    });
  });

  it.each<readonly [string, ConfigFile['rates'], string]>([
    ['demo prices outside of the demo', { source: 'fixed-demo' }, 'rates.source'],
    ['more sources needed than named', { source: 'market', sources: ['okx'] }, 'rates.min_sources'],
    ['no source of coins', { source: 'market', sources: ['ecb', 'er_api'] }, 'rates.min_sources'],
    [
      'more than the sources of coins',
      { source: 'market', min_sources: 3, sources: ['kraken', 'okx', 'ecb', 'er_api', 'floatrates'] },
      'rates.min_sources: is 3, but rates.sources names only 2 that price coins in dollars (kraken, okx)',
    ],
    [
      'prices in USDT that nobody crosses',
      { source: 'market', sources: ['binance', 'kraken'] },
      'rates.min_sources: is 2, but rates.sources names only 1 that price coins in dollars (kraken)',
    ],
    [
      'one source for single coins, and that one prices none',
      { source: 'market', single_source: ['BTCB'], sources: ['binance', 'ecb', 'er_api'] },
      'rates.min_sources',
    ],
    [
      'one source for what nobody prices',
      { source: 'market', single_source: ['BTC@Tron'] },
      'rates.single_source',
    ],
    ['one source for USDT', { source: 'market', single_source: ['USDT'] }, 'rates.single_source'],
    [
      'prices on an open line',
      { source: 'market', urls: { okx: 'http://mirror.example' } },
      'rates.urls.okx',
    ],
    ['an address that is none', { source: 'market', urls: { ecb: 'mirror' } }, 'rates.urls.ecb'],
    [
      'a password in an address',
      { source: 'market', urls: { okx: 'https://u:p@x.example' } },
      'rates.urls.okx',
    ],
    ...[
      'HTTPS://x.example',
      'https:x.example',
      'https:/x.example',
      ' https://x.example',
      'https://x.example ',
      'https://x.example/#x',
      'https://x.example/#',
      'https://x.example/?',
      'https://x.example?',
      'https://@x.example',
      'https:\\\\x.example',
      'https://x.exam\tple',
      'https://x.example\u0001',
    ].map((url): [string, ConfigFile['rates'], string] => [
      `the address ${JSON.stringify(url)}`,
      { source: 'market', urls: { okx: url } },
      'rates.urls.okx: must be an https URL that begins with https:// in small letters, without user, password, "?", "#" and spaces',
    ]),
    ['a folder as a key', { source: 'market', coingecko_key_file: '.' }, 'rates.coingecko_key_file: '],
    [
      'a query in an address',
      { source: 'market', urls: { okx: 'https://x.example/?k=1' } },
      'rates.urls.okx',
    ],
  ])('refuses %s', (_, rates, entry) => {
    expect(() => read(rates)).toThrow(ConfigError);
    expect(() => read(rates)).toThrow(entry);
  });

  it('takes one source for coins that may have one, and dollars without any source of fiat', () => {
    const single = { source: 'market', single_source: ['BTCB'], sources: ['coingecko', 'ecb'] } as const;
    expect(read({ ...single, single_source: ['BTCB'], sources: [...single.sources] })).toMatchObject({
      minSources: 2,
    });
    expect(read({ source: 'market', sources: ['kraken', 'okx'] })).toMatchObject({ minSources: 2 });
  });
});
