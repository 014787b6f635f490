// ducat qr: codes and their payments are listed, and a code is switched off and on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertQrCode, transferTo } from '@ducat/testkit/fixtures';
import type {} from '@ducat/testkit/global-setup';
import { masterSecret } from '@ducat/testkit/system/open-shop';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { qrCommand } from './qr.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-qr-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2 });
  writeFileSync(
    join(folder, 'ducat.toml'),
    'demo = true\n[rates]\nsource = "fixed-demo"\n[chains.ETH]\nrpc_urls = ["http://127.0.0.1:1"]\n',
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Runs the command, and gives what it printed. */
async function qr(command: string, ...rest: readonly string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', Buffer.from(masterSecret).toString('hex'));
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  await qrCommand().parseAsync([command, '--config', join(folder, 'ducat.toml'), ...rest], { from: 'user' });
  return output;
}

it('lists codes and their payments, and switches them', async () => {
  expect(await qr('list')).toBe('No QR codes.\n');
  const code = await insertQrCode(database);
  const id = String(code.qrCodeId);
  expect(await qr('payments', id)).toContain('Nothing came');
  const [paid, seen] = [headerAt(1), headerAt(2)];
  await bookBlock(database, {
    header: paid,
    transfers: [transferTo(code.address, paid, { txId: '0xpaid', from: `0x${'ab'.repeat(20)}` })],
    final: paid,
  });
  await bookBlock(database, {
    header: seen,
    transfers: [transferTo(code.address, seen, { txId: '0xseen', from: `0x${'ab'.repeat(20)}` })],
  });
  expect(await qr('disable', id)).toBe(`QR code ${id} is disabled.\n`);
  const [listed] = JSON.parse(await qr('list', '--app', 'app_1', '--json'));
  expect(listed).toMatchObject({
    id: code.qrCodeId,
    name: 'Counter 3',
    currency: 'USDT@ETH',
    amount: '0',
    payer_chooses: true,
    enabled: false,
    payments: 1,
    collected: '10',
  });
  expect(await qr('list')).toContain('disabled');
  const payments = JSON.parse(await qr('payments', id, '--json'));
  expect(payments).toMatchObject([
    { trade_no: null, state: 'seen', counts_as: null, txid: '0xseen' },
    { trade_no: expect.stringMatching(/^qrp_/), state: 'final', counts_as: 'payment', amount: '10' },
  ]);
  expect(await qr('payments', id)).toContain('not final yet');
  expect(JSON.parse(await qr('enable', id, '--json'))).toEqual({ id: code.qrCodeId, enabled: true });
  await expect(qr('disable', '99')).rejects.toThrow('there is no QR code 99');
});
