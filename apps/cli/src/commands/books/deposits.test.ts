// ducat deposits: receipts that count for no order are listed with their identity, and assigned by a named person.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amountOf } from '@ducat/core/money/amount';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  START_TIME,
  transferTo,
  USDT,
} from '@ducat/testkit/fixtures';
import type {} from '@ducat/testkit/global-setup';
import { masterSecret } from '@ducat/testkit/system/open-shop';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { depositsCommand } from './deposits.ts';
import { orderRefundCommand } from './order-refund.ts';
import { ordersCommand } from './orders.ts';
import { refundCommand } from './refund.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-deposits-'));
let database: TestDatabase;
let address: string;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2 });
  await insertTestOrder(database);
  const [free] = await database.reader.read<{ address: string }>(
    'SELECT address FROM addresses WHERE trade_no IS NULL',
    [],
  );
  address = free?.address ?? '';
  const header = headerAt(1);
  await bookBlock(database, {
    header,
    transfers: [transferTo(address, header, { txId: '0xpaid' })],
    final: header,
  });
  writeFileSync(
    join(folder, 'ducat.toml'),
    'demo = true\n[rates]\nsource = "fixed-demo"\n[chains.ETH]\nrpc_urls = ["http://127.0.0.1:1"]\n',
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await database.drop();
  rmSync(join(folder, 'ducat.toml'), { force: true });
});

const deposits = (...args: readonly string[]) => run(depositsCommand(), args);

/** Runs the command, and gives what it printed. */
async function run(program: Command, args: readonly string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', Buffer.from(masterSecret).toString('hex'));
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const [name = '', ...rest] = args;
  await program.parseAsync([name, '--config', join(folder, 'ducat.toml'), ...rest], { from: 'user' });
  return output;
}

const assign = (receipt: string, tradeNo: string, ...more: readonly string[]) =>
  deposits('assign', receipt, tradeNo, '--by', 'ada', '--why', 'ticket 7', ...more);

describe('ducat deposits', () => {
  it('lists a receipt and lets it count for an order, once', async () => {
    const text = await deposits('unassigned');
    expect(text).toContain(
      `ETH/0xpaid/log:0  app_1  10      USDT@ETH  2023-11-14T22:13:21Z  ${address}  (no order)`,
    );
    const [listed] = JSON.parse(await deposits('unassigned', '--app', 'app_1', '--json'));
    expect(listed).toMatchObject({ receipt: 'ETH/0xpaid/log:0', currency_id: 1001, amount: '10', block: 1 });
    expect(JSON.parse(await deposits('unassigned', '--app', 'app_2', '--json'))).toEqual([]);
    const counted = {
      receipt: listed.receipt,
      trade_no: 'ord_1',
      counts_as: 'payment',
      status: 'PAID',
      events: 1,
    };
    expect(JSON.parse(await assign(listed.receipt, 'ord_1', '--json'))).toEqual(counted);
    await expect(assign(listed.receipt, 'ord_1')).rejects.toThrow('counts for an order already');
    expect(await deposits('unassigned')).toBe('No unassigned receipts.\n');
    const [event] = await database.reader.read<{ body: string }>('SELECT body FROM events', []);
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      status: 'PAID',
      amount_collected: '10',
      txid: '0xpaid',
    });
  });

  it.each([
    ['ETH/0xpaid', 'ord_1', 'is no receipt'],
    ['XYZ/0xpaid/log:0', 'ord_1', 'there is no chain XYZ'],
    ['ETH/0xnone/log:0', 'ord_1', 'there is no final transfer'],
    ['ETH/0xpaid/log:0', 'ord_none', 'there is no order'],
  ])('refuses %s for %s', async (receipt, tradeNo, message) => {
    await expect(assign(receipt, tradeNo)).rejects.toThrow(message);
  });

  it('wants to know who and why', async () => {
    const args = ['assign', 'ETH/0xpaid/log:0', 'ord_1', '--by', 'ada', '--why', ' '];
    await expect(deposits(...args)).rejects.toThrow('must not be empty');
  });
});

describe('ducat orders accept', () => {
  it('makes a late order PAID, with its webhook', async () => {
    const args = ['accept', 'ord_1', '--by', 'ada', '--why', 'ticket 7'];
    await expect(run(ordersCommand(), args)).rejects.toThrow('has not timed out yet');
    const header = headerAt(2, { time: START_TIME + 1801 });
    const order = await database.reader.read<{ address: string }>('SELECT address FROM orders', []);
    const transfers = [transferTo(order[0]?.address ?? '', header, { txId: '0xlate' })];
    await bookBlock(database, { header, transfers, final: header });
    expect(await run(ordersCommand(), args)).toBe('ord_1 is PAID; its webhook is in the outbox.\n');
    const bodies = await database.reader.read<{ body: string }>(
      'SELECT body FROM events ORDER BY sequence',
      [],
    );
    expect(JSON.parse(bodies.at(-1)?.body ?? '')).toMatchObject({ status: 'PAID', txid: '0xlate' });
  });
});

describe('ducat deposits refund', () => {
  const RECEIPT = 'ETH/0xpaid/log:0';
  const why = ['--by', 'ada', '--why', 'ticket 7'];

  it.each([
    ['ETH/0xnone/log:0', [], 'there is no final transfer ETH/0xnone/log:0'],
    ['BSC/0xpaid/log:0', [], 'the chain BSC is not on'],
    ['paid', [], 'paid is no receipt: give it as it is listed'],
    [RECEIPT, ['--keep', '1,5'], '--keep must be an amount of USDT'],
    [RECEIPT, [], '0x12 is no address of ETH'],
    [RECEIPT, ['--why', ' '], 'must not be empty'],
  ])('refuses %s %j', async (receipt, more, message) => {
    await expect(deposits('refund', receipt, '--to', '0x12', ...why, ...more)).rejects.toThrow(message);
  });

  it('sends a receipt back once, but for what is kept, and lists it', async () => {
    const to = `0x${'ab'.repeat(20)}`;
    const fees = { toAddress: to, networkFee: amountOf(1000, 5n), feeCap: amountOf(1000, 50n) };
    const refund = (...more: readonly string[]) =>
      run(
        refundCommand(async () => fees),
        [RECEIPT, '--to', to, ...why, ...more],
      );
    await expect(refund('--keep', '10')).rejects.toThrow('is no more than what would be kept of it');
    const answer = JSON.parse(await refund('--keep', '0.5', '--json'));
    expect(answer).toEqual({
      receipt: RECEIPT,
      payout: expect.stringMatching(/^pay_/),
      needs_approval: false,
    });
    await expect(refund()).rejects.toThrow('goes back or went back');
    await expect(assign(RECEIPT, 'ord_1')).rejects.toThrow();
    const [row] = JSON.parse(await deposits('refunds', '--json'));
    expect(row).toMatchObject({
      receipt: RECEIPT,
      payout: answer.payout,
      app_id: 'app_1',
      by: 'ada',
      why: 'ticket 7',
    });
    const [payout] = await database.reader.read(
      'SELECT amount::text, gas::text, to_address FROM payouts',
      [],
    );
    expect(payout).toEqual({ amount: '10000000', gas: '500000', to_address: to });
  });
});

describe('ducat orders refund', () => {
  it.each([
    ['ord_none', [], 'there is no order ord_none'],
    ['ord_1', [], 'there is nothing to send back of ord_1'],
    ['ord_1', ['--amount', '1,5'], '--amount must be an amount of USDT'],
    ['ord_1', ['--amount', '1', '--fee', 'x'], '--fee must be an amount of USDT'],
    ['ord_1', ['--amount', '1'], 'nobody is no address of ETH'],
    ['ord_1', ['--request', 'a b'], '--request must be'],
    ['ord_1', ['--why', ' '], 'must not be empty'],
  ])('refuses %s %j', async (tradeNo, more, message) => {
    const args = ['refund', tradeNo, '--to', 'nobody', '--by', 'ada', '--why', 'ticket 7', ...more];
    await expect(run(ordersCommand(), args)).rejects.toThrow(message);
  });

  const to = `0x${'ab'.repeat(20)}`;
  const fees = { toAddress: to, networkFee: amountOf(1000, 5n), feeCap: amountOf(1000, 50n) };
  const refund = (...more: readonly string[]) => {
    const why = ['--to', to, '--by', 'ada', '--why', 'ticket 7'];
    return run(
      orderRefundCommand(async () => fees),
      ['ord_1', ...why, ...more],
    );
  };
  const payouts = () =>
    database.reader.read(
      'SELECT trade_no, amount::text, gas::text, reserved::text FROM payouts ORDER BY trade_no',
      [],
    );

  it('sends back a part with its fee and then all that is left, each request once', async () => {
    await assign('ETH/0xpaid/log:0', 'ord_1');
    const part = ['--amount', '4', '--fee', '0.5', '--request', 'ticket-7', '--json'];
    const first = JSON.parse(await refund(...part));
    expect(first).toEqual({
      trade_no: 'ord_1',
      payout: expect.stringMatching(/^pay_/),
      needs_approval: false,
      request: 'ticket-7',
    });
    expect(JSON.parse(await refund(...part))).toEqual(first);
    await expect(refund('--amount', '5', '--request', 'ticket-7')).rejects.toThrow('other terms');
    await fundApp(database, 'app_1', USDT, 1_000_000n);
    expect(await refund('--request', 'rest')).toMatch(
      /^ord_1 goes back as payout pay_\w+, by request rest\.\n$/,
    );
    expect(await refund('--request', 'rest')).toContain('by request rest');
    const row = { trade_no: expect.any(String) };
    expect(await payouts()).toEqual([
      { ...row, amount: '4000000', gas: '500000', reserved: '4501200' },
      { ...row, amount: '6000000', gas: '0', reserved: '6001800' },
    ]);
    await expect(refund()).rejects.toThrow('there is nothing to send back of ord_1');
    const kept = await database.reader.read(
      'SELECT order_trade_no, refunded_by, reason FROM order_refunds',
      [],
    );
    expect(kept).toEqual(Array(2).fill({ order_trade_no: 'ord_1', refunded_by: 'ada', reason: 'ticket 7' }));
  });
});
