// What ducat deposits reverse and ducat app debts print, on a dev chain whose block is another one than that of the books.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type EvmChain, startEvmChain } from '@ducat/devnet/evm/evm-chain';
import { bookBlock, insertApp, insertTestOrder, START_TIME, transferTo } from '@ducat/testkit/fixtures';
import type {} from '@ducat/testkit/global-setup';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { appCommand } from '../apps/app.ts';
import { depositsCommand } from './deposits.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-reverse-'));
const txId = `0x${'ab'.repeat(32)}`;
const receipt = `ETH/${txId}/log:0`;

/** Blocks behind the head that the node does not call final. */
const BEHIND = 80;

let node: EvmChain;
let database: TestDatabase;
beforeAll(async () => {
  node = await startEvmChain({ chainId: 31_337 });
  await node.mine(BEHIND + 6);
  database = await openTestDatabase(inject('postgresAdminUrl'));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await node?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: Command, ...args: readonly string[]): Promise<string> {
  const config = join(folder, 'ducat.toml');
  const { rpcUrl, chainId } = node;
  const chain = `[chains.ETH]\nrpc_urls = ["${rpcUrl}"]\nchain_id = ${chainId}\n`;
  writeFileSync(config, `demo = true\n[rates]\nsource = "fixed-demo"\n${chain}`);
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', '0123456789abcdef'.repeat(4));
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  await command.parseAsync([...args, '--config', config], { from: 'user' });
  vi.restoreAllMocks();
  return output;
}

const put = (statement: string) => database.transact((tx) => tx.write(statement, []));

/** Pays an order in a block that the chain does not have, and lets the books skip the blocks up to the third. */
async function bookGone(): Promise<void> {
  await insertApp(database);
  const { address } = await insertTestOrder(database);
  const header = { number: 2, hash: '0xold', parentHash: '0xolder', time: START_TIME + 9 };
  const transfers = [transferTo(address, header, { txId })];
  const booked = await bookBlock(database, { header, transfers, final: header });
  expect(booked).toMatchObject({ outcome: 'accepted', settled: { transfers: 1 } });
}

it('shows what would be booked, books it once, and says what the app owes', async () => {
  await bookGone();
  const reverse = (...more: readonly string[]) => run(depositsCommand(), 'reverse', receipt, ...more);
  await expect(reverse()).rejects.toThrow(
    'the books did not skip block 2; lead them past the fork first: ducat chain rewind ETH',
  );
  await put(`UPDATE chain_cursors SET start_number = 4 WHERE chain = 'ETH'`);
  await put(`UPDATE accounts SET balance = 4000000 WHERE kind = 'available' AND owner = 'app_1'`);
  const look = await reverse();
  expect(look).toMatch(
    new RegExp(
      `^Block 2 is 0x[0-9a-f]{64} now\\. No block from 0 to 3 holds ${txId} as succeeded\\.\nWould be booked:`,
    ),
  );
  expect(look).toMatch(/custody +ETH +10 USDT\n/);
  expect(look).toMatch(/available +app_1 +-4 USDT\n +receivable +app_1 +-5\.997 USDT\n/);
  expect(look).toMatch(/Nothing was changed\. --apply does it\.\n$/);
  expect(await run(appCommand(), 'debts')).toBe('No app owes anything.\n');

  await expect(reverse('--apply', '--by', 'Ada')).rejects.toThrow('give --by and --why');
  const done = await reverse('--apply', '--by', 'Ada', '--why', 'ticket 7');
  expect(done).toMatch(/\nBooked:\n[^]*\nThe status of its order stays: tell the merchant\.\n$/);
  expect(await run(appCommand(), 'debts')).toMatch(/^APP +OWES\napp_1 +5\.997 USDT@ETH\n$/);
  await expect(reverse()).rejects.toThrow(`${receipt} was reversed before`);
  const decided = ['app_1', 'USDT@ETH', '--by', 'Ada', '--why', 'ticket 8'];
  await expect(run(appCommand(), 'repay', ...decided)).rejects.toThrow(
    'app_1 has nothing available in USDT@ETH',
  );
  await expect(run(depositsCommand(), 'reinstate', receipt, '--in-block', '3')).rejects.toThrow(
    `block 3 does not hold ${receipt}`,
  );
});
