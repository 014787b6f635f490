// QR codes on a real database: one code per call, each transfer once under its own number, forks, and a code that is off.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertQrCode,
  plainWriting,
  START_TIME,
  TEST_LEASE,
  transferTo,
  USDT,
} from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { listQrCodes, type QrCodeDetail } from '../../db/tables/qr/qr-codes.ts';
import { listQrTransfers } from '../../db/tables/qr/qr-payments.ts';
import { confirmInternal } from '../blocks/confirm-internal.ts';
import { undoBlocks } from '../blocks/undo-blocks.ts';
import { switchQrCode } from './switch-qr-code.ts';

let database: TestDatabase;
let code: QrCodeDetail;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 4 });
  code = await insertQrCode(database);
});
afterEach(() => database.drop());

function accept(header: BlockHeader, transfers: readonly Transfer[] = [], final: BlockHeader | null = null) {
  return bookBlock(database, { header, transfers, final });
}

const pay = (header: BlockHeader, position: string, units: bigint, txId = '0xpay') =>
  transferTo(code.address, header, { txId, position, units });

async function announced() {
  return database.reader.read<{ type: string; state: string; trade_no: string; body: string }>(
    'SELECT type, state, trade_no, body FROM events ORDER BY sequence',
    [],
  );
}

async function balances() {
  const rows = await database.reader.read<{ kind: string; balance: string }>(
    'SELECT kind, balance FROM accounts ORDER BY kind',
    [],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

const listed = () => listQrTransfers(database.reader, code.qrCodeId, 10);

describe('payments to a QR code', () => {
  it('are two where one transaction pays twice, and nothing before they are final', async () => {
    const first = headerAt(1);
    await accept(first, [pay(first, 'log:0', 10_000_000n), pay(first, 'log:1', 1n)]);
    expect(await announced()).toEqual([]);
    expect(await listed()).toMatchObject([
      { state: 'seen', tradeNo: null },
      { state: 'seen', tradeNo: null },
    ]);
    expect(await accept(headerAt(2), [], first)).toMatchObject({ settled: { transfers: 2, events: 2 } });
    const events = await announced();
    expect(events.map(({ type, state }) => [type, state])).toEqual([
      ['QR_PAYMENT', 'pending'],
      ['QR_PAYMENT', 'pending'],
    ]);
    expect(new Set(events.map((event) => event.trade_no)).size).toBe(2);
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      { txId: '0xpay', position: 'log:0', units: '10000000' },
      { txId: '0xpay', position: 'log:1', units: '1' },
    ]);
    expect(await balances()).toEqual({ available: '9997001', custody: '-10000001', fee: '3000' });
    expect(await listQrCodes(database.reader, { limit: 5 })).toMatchObject([
      { qrCodeId: code.qrCodeId, payments: 2, collected: amountOf(USDT, 10_000_001n) },
    ]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('have the same number again where they are settled again, as after a restored backup', async () => {
    const header = headerAt(1);
    const settleIt = () => accept(header, [pay(header, 'log:0', 5n), pay(header, 'log:1', 6n)], header);
    await settleIt();
    const numbers = (await announced()).map((event) => event.trade_no);
    await database.drop();
    database = await openTestDatabase(inject('postgresAdminUrl'));
    await insertApp(database, { addresses: 4 });
    code = await insertQrCode(database);
    await settleIt();
    expect((await announced()).map((event) => event.trade_no)).toEqual(numbers);
    expect(numbers.every((number) => /^qrp_[0-9a-v]{30}$/.test(number))).toBe(true);
  });

  it('count once when a fork moves one to another block, and never when a fork drops it', async () => {
    await accept(headerAt(1));
    const seen = headerAt(2);
    await accept(seen, [pay(seen, 'log:0', 5n), pay(seen, 'log:0', 6n, '0xdropped')]);
    const ancestor = { number: 1, hash: 'a1' };
    await database.transact((tx) =>
      undoBlocks(tx, { chain: 'ETH', lease: TEST_LEASE, tip: { number: 2, hash: 'a2' }, ancestor, nowMs: 0 }),
    );
    await accept(headerAt(2, { branch: 'b', parent: 'a' }));
    const again = headerAt(3, { branch: 'b' });
    await accept(again, [pay(again, 'log:0', 5n)], again);
    expect((await announced()).map(({ body }) => JSON.parse(body).units)).toEqual(['5']);
    expect(await listed()).toMatchObject([{ state: 'final', disposition: 'payment' }]);
    expect(await balances()).toMatchObject({ custody: '-5' });
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  // hits mark: disabled-code-sends-no-webhook
  it('are credited and send no webhook once the code is disabled, until it is enabled again', async () => {
    const turn = (isDisabled: boolean, now: number) =>
      database.transact((tx) => switchQrCode(tx, { qrCodeId: code.qrCodeId, isDisabled, now }));
    expect(await turn(true, START_TIME + 1)).toBe(true);
    // Disabled again, it ended the first time.
    expect(await turn(true, START_TIME + 9)).toBe(true);
    const [inTime, late] = [headerAt(1), headerAt(2)];
    await accept(inTime, [pay(inTime, 'log:0', 10_000_000n, '0xin-time')]);
    await accept(late, [pay(late, 'log:0', 20_000_000n, '0xlate')], late);
    expect((await announced()).map(({ state }) => state)).toEqual(['pending', 'unsent']);
    expect(await listed()).toMatchObject([
      { disposition: 'late', transfer: { txId: '0xlate' } },
      { disposition: 'payment', transfer: { txId: '0xin-time' } },
    ]);
    expect(await balances()).toMatchObject({ available: '29991000', custody: '-30000000' });
    expect(await turn(false, START_TIME + 9)).toBe(true);
    const after = headerAt(3);
    await accept(after, [pay(after, 'log:0', 5n, '0xafter')], after);
    expect((await announced()).map(({ state }) => state)).toEqual(['pending', 'unsent', 'pending']);
    expect(await auditBooks(database.reader)).toEqual([]);
    expect(
      await database.transact((tx) => switchQrCode(tx, { qrCodeId: 99, isDisabled: true, now: 1 })),
    ).toBe(false);
  });

  it('are none where another token came, or value that only a balance shows; what a contract sent is one', async () => {
    const block = headerAt(1);
    await accept(block, [transferTo(code.address, block, { amount: amountOf(1002, 5n) })], block);
    const coins = await insertQrCode(database, {
      currencyId: 1000,
      defaultAmount: amountOf(1000, 0n),
      idempotencyKey: 'key:2',
      signature: 'another',
    });
    const idOf = async (address: string) => {
      const sql = 'SELECT address_id FROM addresses WHERE address = $1';
      const [row] = await database.reader.read<{ address_id: number }>(sql, [address]);
      return row?.address_id ?? 0;
    };
    const gained = async (address: string, candidates: readonly Transfer[]) => {
      const gain = { block, amount: amountOf(1000, 7n), candidates };
      return { at: 1, expected: amountOf(1000, 0n), addressId: await idOf(address), address, gains: [gain] };
    };
    const called = { txId: '0xcalled', position: 'call:0', from: '0xcontract', amount: amountOf(1000, 7n) };
    const findings = [
      await gained(code.address, []),
      await gained(coins.address, [transferTo(coins.address, block, called)]),
    ];
    await database.transact((tx) =>
      confirmInternal(tx, {
        ...plainWriting,
        chain: eth,
        nowMs: 0,
        checked: { addressIds: findings.map(({ addressId }) => addressId), upTo: 1 },
        findings,
        dust: amountOf(1000, 0n),
        searched: block,
        lease: TEST_LEASE,
      }),
    );
    expect((await announced()).map(({ body }) => JSON.parse(body).txId)).toEqual(['0xcalled']);
    expect(await listed()).toMatchObject([
      { disposition: 'unassigned', tradeNo: null },
      { disposition: 'unassigned', tradeNo: null },
    ]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});
