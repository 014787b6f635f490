// The section [rates]: what holds without an entry, and what is refused by name.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { priceSources } from '../rates/price-sources.ts';
import { ConfigError } from './config-error.ts';
import { ratesConfig } from './rates.ts';
import { type ConfigFile, rateSourceNames } from './schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-rates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(rates: ConfigFile['rates'], demo: boolean = false) {
  return ratesConfig({ demo, ...(rates === undefined ? {} : { rates }) }, folder);
}

describe('ratesConfig', () => {
  it('knows the sources that there are, and no other', () => {
    expect([...rateSourceNames].toSorted()).toEqual(Object.keys(priceSources).toSorted());
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
    [
      'a query in an address',
      { source: 'market', urls: { okx: 'https://x.example/?k=1' } },
      'rates.urls.okx',
    ],
  ])('refuses %s', (_, rates, entry) => {
    expect(() => read(rates)).toThrow(ConfigError);
    expect(() => read(rates)).toThrow(entry);
  });
});
