// What `ducat demo` shows people: what is on, what is off and why, in lines that fit.
import { readFileSync } from 'node:fs';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { describe, expect, it } from 'vitest';
import { demoChainOf } from '../../start/demo-chains.ts';
import type { DemoAccess } from '../../state/demo-record.ts';
import { demoText, shell } from './demo.ts';

const payer = { address: `0x${'1'.repeat(40)}`, privateKey: `0x${'2'.repeat(64)}` } as const;
const chains = chainDefinitions
  .filter(({ family }) => family === 'evm')
  .map(({ name, currencies }, place) =>
    demoChainOf({
      family: 'evm',
      name: name as 'ETH' | 'BSC' | 'WKC',
      chainId: 900_001 + place,
      rpcUrl: 'http://127.0.0.1:65535',
      blockTimeMs: 1_000,
      genesisHash: `0x${'0'.repeat(64)}`,
      payer,
      tokens: currencies.flatMap(({ symbol, decimals, contract }) =>
        contract === null ? [] : [{ symbol, decimals, contract: `0x${contract.slice(2)}` }],
      ),
    }),
  );
const demo: DemoAccess = {
  state_folder: '/home/someone/.ducat',
  config_file: '/home/someone/.ducat/ducat.toml',
  base_url: 'http://127.0.0.1:65535',
  docs_url: 'http://127.0.0.1:65535/docs',
  checkout_url: 'http://127.0.0.1:65535/pay/ord_1',
  openapi_url: 'http://127.0.0.1:65535/openapi.json',
  dashboard_url: 'http://127.0.0.1:65535',
  dashboard_email: 'demo@ducat.local',
  dashboard_password_file: '/nowhere',
  approver_email: 'approver@ducat.local',
  approver_key_file: '/nowhere',
  mail_folder: '/home/someone/.ducat/mails',
  mails_url: 'http://127.0.0.1:8082/mails',
  operations_url: 'http://127.0.0.1:65535',
  merchant_id: 'mer_0123456789',
  app_id: 'app_0123456789',
  app_key: 'k'.repeat(43),
  app_key_file: '/home/someone/.ducat/app-key',
  qr_app_id: 'app_9876543210',
  qr_app_key: 'q'.repeat(43),
  qr_app_key_file: '/home/someone/.ducat/qr-app-key',
  listener_url: 'http://127.0.0.1:65535/webhook',
  faucet_url: 'http://127.0.0.1:65535/',
  chains,
};

describe('ducat demo', () => {
  const text = demoText(demo);

  it('counts what is on, and says of the rest why it is off', () => {
    expect(text).toContain('46 currencies');
    expect(text).toContain('33 currencies');
    expect(text).toContain('1 currency\n');
    expect(text).toContain('MATIC@ETH is off: superseded by POL');
    expect(text).not.toMatch(/^ *MATIC@ETH +id/m);
  });

  it('marks what has no price in fiat', () => {
    expect(text).toMatch(/^ {2}BTCB@BSC +id 2010 .* no fiat price$/m);
    expect(text).toMatch(/^ {2}USDT@BSC +id 2001 .*0x[0-9a-f]{40}$/m);
  });

  it('has no line of more than 100 columns', () => {
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
  });
});

it('ducat demo --env sets every variable that the README of the SDK reads', () => {
  const readme = readFileSync(new URL('../../../../../packages/sdk/README.md', import.meta.url), 'utf8');
  const read = [...readme.matchAll(/const \{(.+)\} = process\.env;/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/([A-Z_]+):/g)].map(([, name]) => name),
  );
  expect(read.length).toBeGreaterThanOrEqual(3);
  const set = [...shell(demo).matchAll(/^export ([A-Z_]+)='/gm)].map(([, name]) => name);
  expect(set).toEqual(expect.arrayContaining(read));
});
