// The exit codes of ducat reconcile and audit, which cron jobs and people rely on, and suspending and resuming.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from '@ducat/testkit/global-setup';
import { startSystem, type System } from '@ducat/testkit/system/system';
import { masterSecret } from '@ducat/testkit/system/open-shop';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { runCommand } from '../../../testing/run-command.ts';
import { auditCommand } from '../audit.ts';
import { currenciesCommand } from '../currencies.ts';
import { reconcileCommand } from './reconcile.ts';
import { walletsCommand } from '../../wallets/wallets.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-reconcile-'));
const ether = 10n ** 18n;

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
  writeFileSync(join(folder, 'ducat.toml'), configText(system));
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await system?.close();
  rmSync(folder, { recursive: true, force: true });
});

function configText({ eth }: System): string {
  return `
    demo = true
    [rates]
    source = "fixed-demo"
    [chains.ETH]
    rpc_urls = ["${eth.node.rpcUrl}"]
    chain_id = ${eth.node.chainId}
    traces = "debug"
    cold = ["0x${'c0'.repeat(20)}"]
    [[chains.ETH.currencies]]
    currency_id = ${eth.ids.usdt}
    contract = "${eth.usdt}"
    [[chains.ETH.currencies]]
    currency_id = ${eth.ids.usdc}
    contract = "${eth.usdc}"
  `;
}

/** Runs a command, and gives what it printed and the code that the process would end with. */
async function run(command: Command, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  vi.stubEnv('DATABASE_URL', system.database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', Buffer.from(masterSecret).toString('hex'));
  return runCommand(command, [...args, '--config', join(folder, 'ducat.toml')]);
}

const reconcile = (...args: readonly string[]) => run(reconcileCommand(), ...args);

async function settle(): Promise<void> {
  await system.mine(system.eth);
  await system.makeFinal(system.eth);
}

it('ends with 0 while every address holds what it should, and with 1 when one does not, also where the sums agree', async () => {
  const { eth } = system;
  const shop = await system.newShop();
  const orders = [await shop.order(eth.ids.coin, '1'), await shop.order(eth.ids.coin, '1')];
  for (const order of orders) await eth.payer().sendNative(order.pay_address, ether);
  await settle();
  for (const order of orders) await shop.confirmed(order.trade_no, 1);
  // Balances are compared at the block to which internal transactions were searched, which may be below the payments.
  const output = async () => (await reconcile()).output;
  await expect.poll(output, { timeout: 30_000 }).toMatch(/✓ +ETH@ETH +2 /);
  const clean = await reconcile();
  expect(clean).toMatchObject({ code: 0, output: expect.stringContaining('Clean') });
  expect(clean.output).toMatch(/^ETH clean \(from block \d+, 2 addresses\)\n/);
  // A currency that no address holds is one line.
  expect(clean.output).toMatch(/✓ +ETH@ETH +2 +2 +0 +0 +\d+\n +✓ +2 others +0 +0 +0 +0 *\n/);

  await eth.node.setBalance(orders[0]!.pay_address, ether + 5n);
  await settle();
  const address = orders[0]!.pay_address.toLowerCase();
  await expect.poll(() => surplusOf(address), { timeout: 30_000 }).toBe('0.000000000000000005');

  await eth.node.setBalance(orders[1]!.pay_address, ether - 5n);
  await settle();
  await expect
    .poll(async () => (await reconcile()).output, { timeout: 30_000 })
    .toMatch(/ETH@ETH +2 +2 +0 +2 +\d+\n/);
  expect(await reconcile()).toMatchObject({ code: 1, output: expect.stringContaining('NOT clean') });
});

async function surplusOf(address: string): Promise<string | undefined> {
  const { code, output } = await reconcile('--json');
  const { clean, chains } = JSON.parse(output);
  const [{ state, currencies }] = chains;
  if (clean !== (code === 0) || (state === 'differs') !== (code === 1)) return `exit code ${code}, ${state}`;
  const [native] = currencies;
  return native.differences.find((one: { address: string }) => one.address === address)?.difference;
}

it('names what is on its way, and what left and is explained by nothing', async () => {
  const { database } = system;
  const put = (statement: string) => database.transact((tx) => tx.write(statement, []));
  await put(
    `INSERT INTO senders (chain, address_id) SELECT 'ETH', min(address_id) FROM addresses WHERE family = 'evm'`,
  );
  await put(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject,
      currency_id, to_address, units, fee_cap, state, next_at_ms, created_at_ms)
    SELECT 'out_1', sender_id, 'ETH', 'payout', 'pay_1', '{}', 1000, '0xto', ${ether}, 1, 'waiting', 9e15, 0 FROM senders`);
  await put(`INSERT INTO accounts (kind, owner, currency_id, balance) VALUES ('suspense', 'ETH', 1000, -5)`);
  const { output, code } = await reconcile();
  expect(code).toBe(1);
  expect(output).toMatch(/payout +pay_1 +waiting +1 ETH/);
  expect(output).toContain('✗ Left and unexplained: 0.000000000000000005 ETH');
  // The account has no postings, which the running audit may find too. A finding stays until a full audit finds it right.
  const audit = async () => (await run(auditCommand(), '--full')).code;
  expect(await audit()).toBe(1);
  await put('DELETE FROM outgoing_transactions');
  await put('DELETE FROM senders');
  await put(`DELETE FROM accounts WHERE kind = 'suspense'`);
  await expect.poll(audit, { timeout: 30_000, interval: 1_000 }).toBe(0);
});

it('sends to cold storage what a wallet has, to an address of the list alone', async () => {
  const { database, eth } = system;
  const put = (statement: string) => database.transact((tx) => tx.write(statement, []));
  const [wallet, cold] = [`0x${'a1'.repeat(20)}`, `0x${'c0'.repeat(20)}`];
  await put(`INSERT INTO addresses (family, derivation_index, address, purpose, retired)
    VALUES ('evm', 0, '${wallet}', 'wallet', true)`);
  await put(`INSERT INTO accounts (kind, owner, currency_id, balance)
    VALUES ('custody', 'ETH/${wallet}', ${eth.ids.usdt}, -7000000)`);
  const send = (amount: string, to: string) => {
    const from = ['--from', 'gas', '--to', to, '--by', 'ann', '--why', 'too much'];
    return run(walletsCommand(), 'cold', 'ETH', String(eth.ids.usdt), amount, ...from);
  };
  await expect(send('5', wallet)).rejects.toThrow('is not in chains.ETH.cold');
  await expect(send('5', cold)).rejects.toThrow('restart it');
  await put(`INSERT INTO cold_addresses VALUES ('ETH', '${cold}')`);
  await expect(send('8', cold)).rejects.toThrow('has 7 USDT');
  const id = /^cld_\w+/.exec((await send('5', cold)).output)?.[0] ?? '';
  await expect(send('2', cold)).rejects.toThrow('is under way');
  expect((await reconcile()).output).toMatch(new RegExp(`cold +${id} +waiting +5 USDT`));
  const listed = await run(walletsCommand(), 'list', '--json');
  expect(JSON.parse(listed.output)).toContainEqual({
    chain: 'ETH',
    what: 'gas wallet',
    owner: '',
    amount: '7 USDT',
    note: expect.stringMatching(/^0xA1/i),
  });
  expect((await run(walletsCommand(), 'cancel-cold', id)).output).toContain('is taken back');
  await expect(run(walletsCommand(), 'cancel-cold', id)).rejects.toThrow('too late');
  await put(`DELETE FROM outgoing_transactions`);
  await put('DELETE FROM cold_addresses');
  await put('DELETE FROM senders');
  await put(`DELETE FROM accounts WHERE owner = 'ETH/${wallet}'`);
  await put(`DELETE FROM addresses WHERE address = '${wallet}'`);
});

it('says which chain is halted or away, shows the others, and ends with 3', async () => {
  const { database } = system;
  const halt = (reason: string | null) =>
    database.transact((tx) => tx.write('UPDATE chain_cursors SET halted_reason = $1', [reason]));
  await halt('a fork below the final height');
  expect(await reconcile()).toMatchObject({
    code: 3,
    output: expect.stringContaining('ETH halted: a fork below the final height'),
  });
  await halt(null);
  const standing = readFileSync(join(folder, 'ducat.toml'), 'utf8');
  writeFileSync(join(folder, 'ducat.toml'), standing.replace(system.eth.node.rpcUrl, 'http://127.0.0.1:9'));
  const away = await reconcile();
  writeFileSync(join(folder, 'ducat.toml'), standing);
  expect(away).toMatchObject({ code: 3, output: expect.stringContaining('ETH unreachable: ') });
  writeFileSync(join(folder, 'ducat.toml'), `${standing}\n[chains.BSC]\nrpc_urls = ["http://127.0.0.1:9"]\n`);
  const oneAway = await reconcile();
  writeFileSync(join(folder, 'ducat.toml'), standing);
  // A difference counts for more than a chain that could not be looked at.
  expect(oneAway).toMatchObject({ code: 1, output: expect.stringMatching(/^BSC unreachable: /m) });
  expect(oneAway.output).toMatch(/^ETH differs \(from block \d+, 2 addresses\)$/m);
});

it('ends with 3 too where nothing of a chain was ever final, and where there is no configuration', async () => {
  const standing = readFileSync(join(folder, 'ducat.toml'), 'utf8');
  const bsc = '[chains.BSC]\nrpc_urls = ["http://127.0.0.1:9"]\n';
  writeFileSync(join(folder, 'ducat.toml'), `demo = true\n[rates]\nsource = "fixed-demo"\n${bsc}`);
  const nothing = await reconcile();
  writeFileSync(join(folder, 'ducat.toml'), standing);
  expect(nothing).toMatchObject({
    code: 3,
    output: expect.stringContaining('BSC unreachable: nothing is final in the books yet'),
  });
  const config = ['--config', join(folder, 'gone.toml')];
  for (const command of [reconcileCommand(), auditCommand()]) {
    await expect(command.parseAsync(config, { from: 'user' })).rejects.toMatchObject({ exitCode: 3 });
  }
});

it('audits all of the books, and forgets findings that are right by now', async () => {
  const { database } = system;
  await database.transact((tx) => tx.write(`INSERT INTO audit_findings VALUES ('an old finding', 0)`, []));
  expect(await run(auditCommand())).toMatchObject({
    code: 1,
    output: expect.stringContaining('✗ an old finding'),
  });
  const full = await run(auditCommand(), '--full', '--json');
  expect([full.code, JSON.parse(full.output)]).toMatchObject([0, { clean: true, findings: [] }]);
});

it('suspends a currency by hand and lets it be used again', async () => {
  const currencies = (...args: readonly string[]) => run(currenciesCommand(), ...args);
  expect((await currencies('suspended')).output).toContain('No currency is suspended');
  expect((await currencies('suspend', 'usdt@eth', '--why', 'the issuer paused it')).output).toBe(
    'USDT@ETH takes no new orders.\n',
  );
  const listed = await currencies('suspended', '--json');
  expect(JSON.parse(listed.output)).toMatchObject([{ currency: 'USDT@ETH', reason: 'the issuer paused it' }]);
  expect((await currencies('resume', 'usdt@eth')).output).toBe('USDT@ETH takes new orders again.\n');
  expect((await currencies('resume', 'usdt@eth')).output).toContain('was not suspended');
});
