// The configuration of the demo is one that the gateway takes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@ducat/gateway/config/load-config';
import { readPolicy } from '@ducat/signer/policy/read-policy';
import { afterEach, expect, it } from 'vitest';
import type { Ports } from '../state/ports.ts';
import { statePaths } from '../state/state-paths.ts';
import { configText } from './config-text.ts';
import { demoChainOf } from './demo-chains.ts';
import { ensureSecrets } from './secrets.ts';
import { signerPolicyText } from './signer-policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat config "quoted"-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ports: Ports = {
  api: 1,
  pages: 8,
  dashboard: 9,
  operations: 2,
  ETH: 3,
  BSC: 4,
  WKC: 5,
  Tron: 6,
  faucet: 7,
  listener: 8,
};

it('the demo configuration loads, marked as demo, with every chain and token', () => {
  const paths = statePaths(folder);
  ensureSecrets(paths);
  const token = (symbol: string, decimals: number) => ({
    symbol,
    decimals,
    contract: `0x${(symbol === 'USDT' ? 'ab' : 'cd').repeat(20)}` as const,
  });
  const payer = { address: '0x1', privateKey: '0x2' } as const;
  const [genesisHash, blockTimeMs] = [`0x${'0'.repeat(64)}` as const, 1_000];
  const local = { family: 'evm' as const, rpcUrl: 'http://127.0.0.1:1', genesisHash, blockTimeMs, payer };
  const chains = [
    demoChainOf({ name: 'ETH', chainId: 900_001, tokens: [token('USDT', 6), token('USDC', 6)], ...local }),
    demoChainOf({ name: 'BSC', chainId: 900_002, tokens: [token('USDT', 18)], ...local }),
    demoChainOf({ name: 'WKC', chainId: 900_004, tokens: [token('USDT', 6)], ...local }),
    demoChainOf({
      family: 'tron',
      name: 'Tron',
      chainId: 77,
      rpcUrl: 'http://127.0.0.1:1',
      blockTimeMs,
      genesisHash: 'a'.repeat(64),
      tokens: [{ symbol: 'USDT', decimals: 6, contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
      payer,
    }),
  ];
  writeFileSync(paths.config, configText({ paths, ports, databaseUrl: 'postgres://x:"y\\@z/db', chains }));
  const policy = readPolicy(signerPolicyText(chains));
  expect(policy.chains.map(({ family, assets }) => `${family} ${assets.length}`)).toEqual([
    'evm 3',
    'evm 2',
    'evm 2',
    'tron 2',
  ]);
  const config = loadConfig(paths.config, {});
  expect(config).toMatchObject({
    demo: true,
    database: { url: 'postgres://x:"y\\@z/db' },
    rates: { source: 'fixed-demo' },
    dashboard: { signUp: 'open' },
  });
  const on = config.chains.map(({ definition }) => [
    definition.name,
    definition.chainId,
    definition.currencies
      .filter(({ enabled }) => enabled)
      .map(({ currencyId, decimals }) => `${currencyId}/${decimals}`),
  ]);
  expect(on).toEqual([
    ['ETH', 900_001, ['1000/18', '1001/6', '1002/6']],
    // The chain of this test has no USDC, so the one of the public chain must not be offered.
    ['BSC', 900_002, ['2000/18', '2001/18']],
    ['WKC', 900_004, ['4000/18', '4901/6']],
    ['Tron', 77, ['3000/6', '3001/6']],
  ]);
});
