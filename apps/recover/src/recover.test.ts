// The drill: 24 words, a real node of each family, no database. All holdings of the words end at one address.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { delegatedCode, sweeperCode } from '@ducat/core/collection/sweeper';
import { GATEWAY_ACCOUNT, type KeyPath, walletPath } from '@ducat/core/signing/key-path';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { realWorld } from '@ducat/gateway/runtime/world';
import { createMnemonic, mnemonicToSeed } from '@ducat/signer/keystore/mnemonic';
import { createKeyring } from '@ducat/signer/signing/keyring';
import { AnvilPayer, type Sending } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { startTamperingProxy, type TamperingProxy } from '@ducat/testkit/chains/evm/tampering-proxy';
import { testTronDefinition } from '@ducat/testkit/chains/test-currencies';
import { toTron, TronPayer } from '@ducat/testkit/chains/tron/tron-payer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadChains } from '@ducat/gateway/config/load-config';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import { balanceBlock, openNode } from './open-node.ts';
import { readArguments } from './arguments.ts';
import { recover } from './recover.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-recover-'));
const config = join(folder, 'recover.toml');
const words = join(folder, 'words');
const mnemonic = createMnemonic();
const keys = createKeyring(mnemonicToSeed(mnemonic));
const deposit = (account: number, index: number): KeyPath => ({ account, branch: 'deposit', index });
const word = (value: string | bigint): string => value.toString(16).replace('0x', '').padStart(64, '0');

let evm: AnvilPayer;
let evmNode: TamperingProxy;
let tron: TronPayer;
let evmToken: string;
let tronToken: string;

beforeAll(async () => {
  [evm, tron] = await Promise.all([AnvilPayer.start(), TronPayer.start()]);
  evmNode = await startTamperingProxy(evm.chain.rpcUrl);
  [evmToken, tronToken] = [await evm.deploy(tokenCode()), await tron.deploy(tokenCode())];
  const { genesisHash } = await testTronDefinition(tron.dev.fullUrl);
  writeFileSync(words, `${mnemonic}\n`, { mode: 0o600 });
  writeFileSync(config, configText(genesisHash ?? ''));
});
afterAll(async () => {
  await evmNode?.stop();
  await evm?.chain.stop();
  await tron?.dev.stop();
  rmSync(folder, { recursive: true });
});

function configText(genesisId: string): string {
  return `
    [chains.ETH]
    rpc_urls = ["${evmNode.url}"]
    chain_id = 31337
    known_tokens = "listed"
    currencies = [{ currency_id = 1001, contract = "${evmToken}" }]
    [chains.Tron]
    rpc_urls = ["${tron.dev.fullUrl}"]
    solidity_urls = ["${tron.dev.solidityUrl}"]
    requests_per_second = 100000
    confirmations = 3
    chain_id = ${Number.parseInt(genesisId.slice(-8), 16)}
    genesis_hash = "${genesisId}"
    known_tokens = "listed"
    currencies = [{ currency_id = 3001, contract = "${toTron(tronToken)}" }]`;
}

/** Every wait here is for a block, so a pause makes one. */
const surroundings = {
  world: realWorld,
  pause: async () => {
    await Promise.all([evm.chain.mine(), tron.dev.mine()]);
  },
};

async function run(...args: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const common = ['--config', config, '--mnemonic-file', words, '--gap', '5', '--account-gap', '2'];
  const read = readArguments([...args, ...common]);
  if (read.command === 'help') throw new Error('no command was given');
  await recover(read, { ...surroundings, say: (line) => lines.push(line) });
  return lines;
}

/** Funds addresses of the words with tokens and coin: two far apart, one with both, and the wallet of the gateway. */
async function fill(
  family: ChainFamily,
  coin: bigint,
  pay: (sending: Sending) => Promise<unknown>,
  token: string,
): Promise<void> {
  const to = (key: KeyPath): string => `0x${keys.address(family, key).slice(2)}`;
  for (const [key, units] of [
    [deposit(0, 4), 7_000_000n],
    [deposit(0, 9), 8_000_000n],
    [deposit(2, 0), 9_000_000n],
  ] as const) {
    await pay({ to: token, data: `0x${mintSelector}${word(to(key))}${word(units)}` });
  }
  await pay({ to: to(deposit(2, 0)), value: coin });
  await pay({ to: to(deposit(1, 1)), value: coin });
  await pay({ to: to(walletPath(GATEWAY_ACCOUNT)), value: 10n * coin });
}

/** Makes the account delegate to the code of a sweeper. */
async function delegate(address: string): Promise<void> {
  const sweeper = `0x${'5e'.repeat(20)}`;
  await evm.chain.rpc('anvil_setCode', [sweeper, sweeperCode(address)]);
  await evm.chain.rpc('anvil_setCode', [address, delegatedCode(sweeper)]);
}

/** The balances of an address on the node: of the coin, and of the token. */
async function heldAt(chain: string, address: string): Promise<readonly bigint[]> {
  const found = loadChains(config).find(({ definition }) => definition.name === chain);
  if (found === undefined) throw new Error(`there is no ${chain}`);
  const node = openNode(found, { ...surroundings, say: () => undefined });
  const at = await balanceBlock(node);
  const reports = found.definition.currencies
    .slice(0, 2)
    .map((currency) => node.reader.balances([address], currency, at, 1));
  return (await Promise.all(reports)).map(([report]) => unitsOf(report?.amounts[0] ?? amountOf(0, 0n)));
}

const linesOf = (lines: readonly string[], start: string): number =>
  lines.filter((line) => line.startsWith(start)).length;

describe.each(['ETH', 'Tron'] as const)('recovering from the words on %s', (chain) => {
  const family: ChainFamily = chain === 'ETH' ? 'evm' : 'tron';
  const scheme = addressSchemes[family];
  // A key outside of the accounts in use, so that nothing else pays to it.
  const target = keys.address(family, { account: 77, branch: 'wallet', index: 3 });

  it('lists what there is, moves nothing in a dry run, and everything with --send', async () => {
    if (chain === 'ETH') {
      await fill('evm', 10n ** 17n, (sending) => evm.sendAndMine(sending), evmToken);
      // The address that needs coin and the address with the most coin, both of which a sweep has emptied before.
      for (const key of [deposit(0, 4), deposit(2, 0)]) await delegate(keys.address(family, key));
    } else await fill('tron', 100_000_000n, (sending) => tron.sendAndMine(sending), tronToken);
    await evm.chain.mine(1);
    await tron.dev.mine(4);
    const listed = await run('list', '--chain', chain);
    expect(linesOf(listed, `${chain}  m/44'`)).toBe(6);
    expect(listed.join('\n')).toContain(
      `/2'/0/0  ${scheme.display(keys.address(family, deposit(2, 0)))}  9 USDT`,
    );
    expect(listed.at(-1)).toContain('5 addresses hold something');
    expect(listed.at(-1)).toContain('after 5 addresses in a row');

    const move = ['move', '--chain', chain, '--to', scheme.display(target)];
    const dry = await run(...move);
    expect(linesOf(dry, 'not yet moved: ')).toBe(6);
    expect(dry.at(-1)).toContain('--send does it');

    const moved = await run(...move, '--send');
    expect(moved.slice(0, listed.length)).toEqual(listed);
    expect(moved.filter((line) => line.includes('FAILED'))).toEqual([]);
    expect(linesOf(moved, 'sent as gas: ')).toBe(2);
    await tron.dev.mine(4);
    const after = await run('list', '--chain', chain);
    expect(linesOf(after, `${chain}  m/44'`)).toBe(0);
    const [coin, tokens] = await heldAt(chain, target);
    expect(tokens).toBe(24_000_000n);
    expect(coin).toBeGreaterThan(chain === 'ETH' ? 119n * 10n ** 16n : 1_150_000_000n);
  });

  it('refuses a destination that would lose it, one of its own, and words that others can read', async () => {
    const to = (address: string) => run('move', '--chain', chain, '--to', address);
    await expect(to('0x12')).rejects.toThrow('is no address of');
    await expect(to(chain === 'ETH' ? evmToken : toTron(tronToken))).rejects.toThrow('would be lost');
    writeFileSync(join(folder, 'open'), mnemonic, { mode: 0o644 });
    const open = ['list', '--config', config, '--mnemonic-file', join(folder, 'open')];
    const args = readArguments(open);
    if (args.command === 'help') throw new Error('no command was given');
    await expect(recover(args, { ...surroundings, say: () => undefined })).rejects.toThrow(
      'Other users can reach',
    );
  });
});

it('asks again where the node gives nonsense or is away for a moment', async () => {
  const failures = [{ body: '{' }, { status: 502, body: 'away' }];
  let answers = 0;
  const body = (honest: string) => (++answers % 4 === 2 ? failures.pop() : undefined) ?? { body: honest };
  evmNode.change({ body });
  try {
    expect((await run('list', '--chain', 'ETH')).at(-1)).toContain('ETH: 0 addresses hold something');
  } finally {
    evmNode.change();
  }
  expect(failures).toEqual([]);
}, 60_000);
