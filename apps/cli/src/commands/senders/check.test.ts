// What ducat senders check and bytes print of open transactions, and the exit codes, on a dev chain and real books.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from '@ducat/testkit/global-setup';
import { masterSecret } from '@ducat/testkit/system/open-shop';
import { startSystem, type System } from '@ducat/testkit/system/system';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import type { Command } from 'commander';
import { runCommand } from '../../testing/run-command.ts';
import { checkCommand } from './check.ts';
import { sendersCommand } from './senders.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-check-'));

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await system?.close();
  rmSync(folder, { recursive: true, force: true });
});

const check = (rpcUrl?: string) => run(checkCommand(), [], rpcUrl);
const bytes = (...args: readonly string[]) => run(sendersCommand(), ['bytes', ...args]);

/** Runs the command against this node, and gives what it printed and the code that the process would end with. */
async function run(
  command: Command,
  args: readonly string[],
  rpcUrl = system.eth.node.rpcUrl,
): Promise<{ code: number; output: string }> {
  const config = join(folder, 'ducat.toml');
  const chain = `[chains.ETH]\nrpc_urls = ["${rpcUrl}"]\nchain_id = ${system.eth.node.chainId}\n`;
  writeFileSync(config, `demo = true\n[rates]\nsource = "fixed-demo"\n${chain}`);
  vi.stubEnv('DATABASE_URL', system.database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', Buffer.from(masterSecret).toString('hex'));
  return runCommand(command, [...args, '--config', config]);
}

async function settle(): Promise<void> {
  await system.mine(system.eth);
  await system.makeFinal(system.eth);
}

it('says where a signed transaction is, stops the sender whose nonce another one used, and ends with 3 where it cannot look', async () => {
  const { eth, database } = system;
  const put = (statement: string) => database.transact((tx) => tx.write(statement, []));
  const payer = eth.payer();
  await payer.sendNative(`0x${'5a'.repeat(20)}`, 1n);
  await settle();
  expect(await check()).toEqual({ code: 0, output: 'ETH: no transaction is open\n' });

  const from = payer.address.toLowerCase();
  const txId = `0x${'ab'.repeat(32)}`;
  const nonce = Number(await eth.node.rpc('eth_getTransactionCount', [from, 'latest']));
  await put(`INSERT INTO addresses (family, derivation_index, address, purpose)
    VALUES ('evm', 0, '${from}', 'wallet')`);
  await put(`INSERT INTO senders (chain, address_id, next_nonce, final_nonce)
    SELECT 'ETH', address_id, ${nonce + 1}, ${nonce} FROM addresses WHERE address = '${from}'`);
  await put(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject,
      currency_id, to_address, units, fee_cap, state, nonce, next_at_ms, created_at_ms)
    SELECT 'out_1', sender_id, 'ETH', 'payout', 'pay_1', '{}', 1000, '0xto', 7, 1, 'signed', ${nonce}, 9e15, 0
    FROM senders`);
  await put(`INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, prepared_at_ms, tx_id, bytes,
      signed_at_ms, log_sequence) VALUES ('out_1', 1, 'ETH', '{}', 0, '${txId}', '02f8', 0, 1)`);
  const line = (found: string) => new RegExp(`payout +pay_1 +${nonce} +0x(ab){32} +${found}`);
  expect(await check()).toMatchObject({
    code: 0,
    output: expect.stringMatching(line('in no block; may still be included')),
  });

  expect(await bytes('eth', txId)).toEqual({ code: 0, output: '0x02f8\n' });
  await expect(bytes('ETH', `0x${'cd'.repeat(32)}`)).rejects.toThrow('was signed for ETH');

  const away = await check('http://127.0.0.1:9');
  expect(away).toMatchObject({ code: 3, output: expect.stringMatching(/^ETH: could not look: /) });

  await payer.sendNative(`0x${'5a'.repeat(20)}`, 1n);
  await settle();
  const stopped = await check();
  expect(stopped).toMatchObject({
    code: 1,
    output: expect.stringMatching(line('in no block; another transaction used its nonce')),
  });
  expect(stopped.output).toMatch(
    new RegExp(
      `Sender \\d+ is stopped: nonce ${nonce} was used by a transaction that is not in the books\n$`,
    ),
  );
});

it('ends with 3 where there is no configuration', async () => {
  const config = ['--config', join(folder, 'gone.toml')];
  await expect(checkCommand().parseAsync(config, { from: 'user' })).rejects.toMatchObject({ exitCode: 3 });
});
