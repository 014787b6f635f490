// Entries of currencies that would book or price one coin as another: refused by name, or warned of.
import { describe, expect, it } from 'vitest';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { configuredChains } from './chains.ts';
import { ConfigError } from './config-error.ts';
import type { ChainConfig, CurrencyConfig } from './schema.ts';

const rpc_urls = ['http://10.0.0.5:8545'];
const contract = `0x${'ab'.repeat(20)}`;
const addressOf = (id: number) =>
  chainDefinitions.flatMap(({ currencies }) => currencies).find(({ currencyId }) => currencyId === id)
    ?.contract ?? '';

const base: ChainConfig = {
  rpc_urls,
  chain_id: 8453,
  network: 'B',
  monitor_chain_id: 90,
  confirmations: 64,
  node_finality: 'finalized',
  block_time_ms: 2_000,
};

function refusalOf(chains: Readonly<Record<string, ChainConfig>>): string {
  try {
    configuredChains(chains);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message : '';
  }
  return 'taken';
}

function eth(change: Partial<ChainConfig>) {
  const [chain] = configuredChains({ ETH: { rpc_urls, ...change } });
  return chain!.definition;
}

describe('the coin of a chain', () => {
  it.each([0, 6, 17, 19, 36])('is refused with %d decimals on a new chain, which has 18', (decimals) => {
    const coin = { currency_id: 99_000, symbol: 'ETH', decimals, rate_asset: 'ETH' };
    expect(refusalOf({ Made: { ...base, currencies: [coin] } })).toBe(
      'chains.Made.currencies: currency 99000 (ETH) is the coin of the chain itself, which has 18 decimals on every chain of the family evm, not ' +
        String(decimals),
    );
    expect(refusalOf({ Made: { ...base, currencies: [{ ...coin, decimals: 18 }] } })).toBe('taken');
  });

  it('is refused with other decimals on known chains, also while they are off', () => {
    const entry = (currency_id: number, decimals: number) => [{ currency_id, decimals }];
    expect(refusalOf({ Tron: { rpc_urls, currencies: entry(3000, 18) } })).toMatch(
      /3000 .* 6 decimals .* tron/,
    );
    expect(refusalOf({ WKC: { rpc_urls, enabled: false, currencies: entry(4000, 8) } })).toMatch(
      /4000 .* 18 dec/,
    );
  });
});

describe('an entry without a symbol', () => {
  it.each<readonly [string, CurrencyConfig, RegExp]>([
    ['WETH', { currency_id: 1014, contract: addressOf(1003) }, /1014 \(WETH\) .* currency 1003 \(DAI\)/],
    ['WBTC', { currency_id: 1015, decimals: 6, contract: addressOf(1001) }, /1015 .* currency 1001 \(USDT\)/],
  ])('does not move the number of %s onto another token of the catalogue', (_, entry, message) => {
    const refusal = refusalOf({ ETH: { rpc_urls, currencies: [entry] } });
    expect(refusal).toMatch(/^chains\.ETH\.currencies: /);
    expect(refusal).toMatch(message);
  });

  it('does not swap two tokens either', () => {
    const swapped = [
      { currency_id: 1001, contract: addressOf(1002) },
      { currency_id: 1002, contract: addressOf(1001) },
    ];
    expect(refusalOf({ ETH: { rpc_urls, currencies: swapped } })).toMatch(/1001 \(USDT\) .* 1002 \(USDC\)/);
  });

  it('still says where a known token lives', () => {
    expect(refusalOf({ ETH: { rpc_urls, currencies: [{ currency_id: 1014, contract }] } })).toBe('taken');
    const same = [{ currency_id: 1014, contract: addressOf(1014) }];
    expect(refusalOf({ ETH: { rpc_urls, currencies: same } })).toBe('taken');
  });
});

describe("a token of the operator's own", () => {
  it('takes no decimals from what the catalogue has under its number', () => {
    const mine = { currency_id: 1013, symbol: 'MINE', contract };
    expect(refusalOf({ ETH: { rpc_urls, currencies: [mine] } })).toBe(
      'chains.ETH.currencies: currency 1013 is new and needs symbol and decimals',
    );
    expect(refusalOf({ ETH: { rpc_urls, currencies: [{ ...mine, decimals: 9 }] } })).toBe('taken');
  });
});

describe('the chain id of a known chain', () => {
  it('keeps the check of block 0 where it is the one that the chain has already', () => {
    const known = eth({}).genesisHash;
    expect(known).toMatch(/^0x/);
    expect(eth({ chain_id: 1 })).toMatchObject({ genesisHash: known, chainId: 1 });
    expect(eth({ chain_id: 61 }).genesisHash).toBeNull();
  });
});
