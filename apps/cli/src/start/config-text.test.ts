// The configuration of the demo is one that the gateway takes.
import { sign, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@ducat/gateway/config/load-config';
import { signatureProblem } from '@ducat/gateway/keys/approvers';
import { readPolicy } from '@ducat/signer/policy/read-policy';
import { afterEach, expect, it } from 'vitest';
import type { Ports } from '../state/ports.ts';
import { statePaths } from '../state/state-paths.ts';
import { configText } from './config-text.ts';
import { demoChainOf } from './demo-chains.ts';
import { demoApprovers } from './people/demo-approvers.ts';
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
  const policy = readPolicy(signerPolicyText(chains, demoApprovers(paths)));
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

it('has the same approvers in both files: the key that was made, and those that people wrote down', () => {
  const paths = statePaths(join(folder, 'approvers'));
  ensureSecrets(paths);
  const bob = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  writeFileSync(paths.approvers, `bob = "${bob}"\n`);
  writeFileSync(paths.config, configText({ paths, ports, databaseUrl: 'postgres://x:y@z/db', chains: [] }));
  const { approvers } = loadConfig(paths.config, {});
  const policy = readPolicy(signerPolicyText([], demoApprovers(paths)));
  expect([...approvers.keys()]).toEqual(['bob', 'demo-approver']);
  expect([...policy.approvers.keys()]).toEqual(['bob', 'demo-approver']);
  expect(approvers.get('bob')).toBe(bob);
  expect(statSync(paths.approverKey).mode & 0o777).toBe(0o600);
  const bytes = Buffer.from('what is approved');
  const signature = sign(null, bytes, readFileSync(paths.approverKey, 'utf8'));
  const signed = { bytes, signature: signature.toString('hex') };
  expect(signatureProblem(approvers, 'demo-approver', signed)).toBeNull();
  const known = policy.approvers.get('demo-approver');
  expect(known !== undefined && verify(null, bytes, known, signature)).toBe(true);
  for (const wrong of ['bob = 5', 'Bob = "00"', `bob = "${bob}0"`, 'bob']) {
    writeFileSync(paths.approvers, wrong);
    expect(() => demoApprovers(paths), wrong).toThrow('64 hexadecimal digits');
  }
});
