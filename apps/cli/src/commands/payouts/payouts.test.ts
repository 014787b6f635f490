// ducat payouts: an operator sees, approves and cancels payouts, and sets what an app may pay out.
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { readSealedCodeSecret } from '@ducat/gateway/db/tables/payouts/payout-settings';
import { createPayout } from '@ducat/gateway/flows/payouts/create-payout';
import { createAppKeys } from '@ducat/gateway/keys/app-keys';
import { realWorld } from '@ducat/gateway/runtime/world';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, USDT } from '@ducat/testkit/fixtures';
import type {} from '@ducat/testkit/global-setup';
import { masterSecret } from '@ducat/testkit/system/open-shop';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { payoutsCommand } from './payouts.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-payouts-'));
const TO = `0x${'ab'.repeat(20)}`;
const keys = generateKeyPairSync('ed25519');
const publicHex = keys.publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('hex');
const keyFile = join(folder, 'bob.pem');
const passphrase = 'correct horse';
const withKey = ['--key', keyFile, '--passphrase-file', join(folder, 'passphrase')];
let database: TestDatabase;
let made = 0;

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await fundApp(database, 'app_1', USDT, 10n ** 12n);
  const sealedKey = createAppKeys({ masterSecret, reader: database.reader, world: realWorld }).seal(
    'app_1',
    'key',
  );
  await database.transact((tx) => tx.write('UPDATE apps SET sealed_key = $1', [sealedKey]));
  writeFileSync(
    join(folder, 'ducat.toml'),
    `demo = true\n[approvers]\nbob = "${publicHex}"\ncarol = "${publicHex}"\n[rates]\nsource = "fixed-demo"\n[chains.ETH]\nrpc_urls = ["http://127.0.0.1:1"]\n`,
  );
  const cipher = { cipher: 'aes-256-cbc', passphrase } as const;
  writeFileSync(keyFile, keys.privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }));
  writeFileSync(join(folder, 'passphrase'), `${passphrase}\n`);
});
beforeEach(() => vi.stubEnv('DATABASE_URL', database.url));
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Runs the command, and gives what it printed. */
async function payouts(...args: readonly string[]): Promise<string> {
  vi.stubEnv('DUCAT_MASTER_SECRET', Buffer.from(masterSecret).toString('hex'));
  let output = '';
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const [command = '', ...rest] = args;
  try {
    const all = [command, '--config', join(folder, 'ducat.toml'), ...rest];
    await payoutsCommand().parseAsync(all, { from: 'user' });
  } finally {
    written.mockRestore();
  }
  return output;
}

async function create(): Promise<string> {
  const tradeNo = `pay_${++made}`;
  const currency = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;
  const call = {
    appId: 'app_1',
    idempotencyKey: tradeNo,
    signature: tradeNo,
    inputHash: '',
    callbackUrl: null,
    codeStep: undefined,
  };
  const money = {
    amount: amountOf(USDT, 100_000_000n),
    gas: amountOf(USDT, 4_000_000n),
    value: 100_000_000n,
  };
  const networkFee = amountOf(1000, 10n ** 15n);
  const feeCap = amountOf(1000, 10n ** 16n);
  await database.transact((tx) =>
    createPayout(tx, {
      ...call,
      ...money,
      tradeNo,
      chain: eth,
      currency,
      toAddress: TO,
      networkFee,
      feeCap,
      nowMs: Date.now(),
    }),
  );
  return tradeNo;
}

describe('ducat payouts', () => {
  it('shows every intent, signature and block of one', async () => {
    const tradeNo = await create();
    const put = (statement: string) => database.transact((tx) => tx.write(statement, []));
    await put(`INSERT INTO senders (chain, address_id) SELECT 'ETH', min(address_id) FROM addresses`);
    await put(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject,
        currency_id, to_address, units, fee_cap, state, next_at_ms, created_at_ms)
      SELECT 'out_1', sender_id, 'ETH', 'payout', '${tradeNo}', '{}', 1001, '${TO}', 1, 1, 'signed', 9e15, 1000 FROM senders`);
    await put(`INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, prepared_at_ms, tx_id, bytes, signed_at_ms,
        log_sequence, sends, last_answer) VALUES ('out_1', 1, 'ETH', '{"nonce":7}', 2000, '0xaa', 'ff', 3000, 12, 2, 'known')`);
    await put(`INSERT INTO inclusions (chain, tx_id, block_number, block_hash, block_time, status, address_id, currency_id, fee)
      SELECT 'ETH', '0xaa', 5, '0xb5', 9, 'succeeded', address_id, 1000, 4 FROM senders`);
    const text = await payouts('show', tradeNo);
    expect(text).toContain('intent: {"nonce":7}');
    expect(text).toContain("signed as 0xaa, entry 12 of the signer's log; sent 2 times, last answer: known");
    expect(text).toContain('in block 5: succeeded, fee 0.000000000000000004 ETH');
  });

  it('lists payouts with what they wait for, and cancels one with who and why', async () => {
    await payouts('rules', 'app_1', '--approve-above', '50');
    const tradeNo = await create();
    const [listed] = JSON.parse(await payouts('list', '--app', 'app_1', '--status', 'PROGRESS', '--json'));
    expect(listed).toMatchObject({
      trade_no: tradeNo,
      waits_for: 'approval',
      currency: 'USDT@ETH',
      amount: '100',
      reserved: '104.03',
      value_usd: '100',
    });
    expect(await payouts('list')).toContain(tradeNo);
    await expect(payouts('cancel', tradeNo, '--by', 'ann', '--why', ' ')).rejects.toThrow(
      'must not be empty',
    );
    await payouts('cancel', tradeNo, '--by', 'ann', '--why', 'wrong address');
    expect(await payouts('show', tradeNo)).toMatch(/CANCEL[\s\S]*cancelled by ann: wrong address/);
    await expect(payouts('cancel', tradeNo, '--by', 'ann', '--why', 'again')).rejects.toThrow('has ended');
    await expect(payouts('show', 'pay_none')).rejects.toThrow('there is no payout pay_none');
  });

  it('approves by a key here, or by bytes that were signed on another machine; both verify', async () => {
    const tradeNo = await create();
    expect(await payouts('approve', tradeNo, '--by', 'bob', ...withKey)).toContain('at most 0.01');
    const file = join(folder, 'approval.bin');
    const shown = JSON.parse(await payouts('approve', tradeNo, '--by', 'carol', '--bytes', file, '--json'));
    const fixed = ['--until', String(shown.until), '--max-fee', shown.max_fee];
    // hits mark: approvals-are-verified
    const made = ['--by', 'carol', '--signature', '12'.repeat(64)];
    await expect(payouts('approve', tradeNo, ...made, ...fixed)).rejects.toThrow('no signature of carol');
    await expect(payouts('approve', tradeNo, '--by', 'dan', ...withKey)).rejects.toThrow('is not listed');
    const hex = sign(null, readFileSync(file), keys.privateKey).toString('hex');
    await payouts('approve', tradeNo, '--by', 'carol', '--signature', hex, ...fixed);
    const { approvals, waits_for: waitsFor } = JSON.parse(await payouts('show', tradeNo, '--json'));
    expect(approvals.map(({ approver }: { approver: string }) => approver).sort()).toEqual(['bob', 'carol']);
    expect(waitsFor).toBe('its turn');
    const [kept] = await database.reader.read<{ signature: string; expiry: number }>(
      `SELECT signature, expiry FROM payout_approvals WHERE approver = 'bob'`,
      [],
    );
    const again = ['--until', String(kept?.expiry), '--max-fee', '0.01'];
    await payouts('approve', tradeNo, '--by', 'bob', '--bytes', file, ...again);
    const signature = Buffer.from(kept?.signature ?? '', 'hex');
    expect(verify(null, readFileSync(file), keys.publicKey, signature)).toBe(true);
  });

  it.each([
    [['--by', 'bob'], 'give one of'],
    [['--by', 'bob', '--key', keyFile], 'is no private key that opens'],
    [['--by', 'bob', '--signature', 'ab'.repeat(64)], 'needs the --until'],
    [
      ['--by', 'bob', '--signature', 'ab'.repeat(64), '--until', '1000000000', '--max-fee', '0.01'],
      'is no signature of bob',
    ],
    [[...withKey, '--by', 'bob', '--until', '1000000000'], 'ended already'],
    [[...withKey, '--by', 'bob', '--max-fee', '0.02'], 'no more than the fee'],
  ])('does not approve with %j', async (args, message) => {
    await expect(payouts('approve', await create(), ...args)).rejects.toThrow(message);
  });

  it('declines one that waits for a second person, with who and why, and none that is approved', async () => {
    await payouts('rules', 'app_1', '--approve-above', '50');
    const tradeNo = await create();
    const why = ['--by', 'bob', '--why', 'nobody knows this supplier'];
    const text = `Payout ${tradeNo} is declined: what it bound is in the balance again.\n`;
    expect(await payouts('decline', tradeNo, ...why)).toBe(text);
    expect(await payouts('show', tradeNo)).toMatch(/CANCEL[\s\S]*by bob: nobody knows this supplier/);
    const rows = await database.reader.read('SELECT status, declined FROM payouts WHERE trade_no = $1', [
      tradeNo,
    ]);
    expect(rows).toEqual([{ status: 'CANCEL', declined: true }]);
    await expect(payouts('decline', tradeNo, ...why)).rejects.toThrow('has ended');
    const approved = await create();
    await payouts('approve', approved, '--by', 'bob', ...withKey);
    await expect(payouts('decline', approved, ...why)).rejects.toThrow();
    const { status } = JSON.parse(await payouts('cancel', approved, ...why, '--json'));
    expect(status).toBe('CANCEL');
  });

  it('sets rules, codes and the address list, and shows them', async () => {
    const rules = ['--fees', 'deducted', '--max', 'off', '--max-day', '5000.5', '--address-list', 'on'];
    expect(JSON.parse(await payouts('rules', 'app_1', ...rules, '--cooling', '2h', '--json'))).toEqual({
      app_id: 'app_1',
      fees: 'deducted',
      payout_fee_ppm: 300,
      max_usd: null,
      max_day_usd: '5000.5',
      approve_above_usd: '50',
      address_list: true,
      cooling_seconds: 7_200,
      one_time_codes: false,
    });
    await expect(payouts('rules', 'app_none')).rejects.toThrow('there is no app app_none');
    const added = ['--add', TO, '--label', 'cold', '--by', 'ann'];
    expect(await payouts('addresses', 'app_1', ...added)).toContain('cold');
    await expect(payouts('addresses', 'app_1', ...added)).rejects.toThrow('nothing changed');
    await expect(payouts('addresses', 'app_1', '--add', '0x1')).rejects.toThrow('needs --label');
    expect(await payouts('addresses', 'app_1', '--remove', TO)).toBe('No addresses are listed.\n');
    const { otpauth_url: url } = JSON.parse(await payouts('codes', 'app_1', '--on', '--json'));
    expect(url).toMatch(/^otpauth:\/\/totp\/Ducat:app_1\?/);
    expect(await payouts('rules', 'app_1')).toContain('asked for');
    const sealed = await readSealedCodeSecret(database.reader, 'app_1');
    expect(sealed?.toString('latin1')).not.toContain(new URL(url).searchParams.get('secret'));
    await payouts('codes', 'app_1', '--off');
    expect(await readSealedCodeSecret(database.reader, 'app_1')).toBeNull();
  });
});
