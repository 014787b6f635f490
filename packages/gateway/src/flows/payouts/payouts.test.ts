// A payout on PostgreSQL from its reservation to its end: every step once, money bound until then, one webhook.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Transfer } from '@ducat/core/chain/transfer';
import { entryOf } from '@ducat/core/ledger/entry';
import { custodyOf, sentOf } from '@ducat/core/ledger/account';
import { amountOf, negate } from '@ducat/core/money/amount';
import type { FeeMode } from '@ducat/core/payout/open-payout';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, START_TIME, TEST_LEASE, USDT } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { findUnbalanced } from '../../db/reports/audit/find.ts';
import { auditBooks } from '../../db/reports/audit.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { readApprovals } from '../../db/tables/payouts/payout-approvals.ts';
import { listPayouts, readPayout } from '../../db/tables/payouts/payouts.ts';
import { approvePayout } from './approve-payout.ts';
import { cancelPayout } from './cancel-payout.ts';
import { changeRules } from './change-rules.ts';
import { completePayout } from './complete-payout.ts';
import { type CreatePayout, createPayout } from './create-payout.ts';
import { endByHand } from './end-by-hand.ts';
import { failPayout } from './fail-payout.ts';
import { sendPayouts } from './send-payouts.ts';
import { startPayout } from './start-payout.ts';

const NOW_MS = START_TIME * 1000;
const usdt = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;
const units = (count: bigint) => amountOf(USDT, count);
let events = 0;
const writing = {
  encodeTransfer: (event: object) => JSON.stringify(event),
  newEventId: () => `evt_${++events}`,
  nowMs: NOW_MS,
};
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await fundApp(database, 'app_1', USDT, 1_000n);
  await database.transact(async (tx) => {
    await tx.write(
      "INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('pay-ETH', 1, 'test', 0, 0)",
      [],
    );
    await tx.write(
      `INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
       VALUES ('app_1', 'evm', 0, '0xwallet', 'wallet'), (NULL, 'evm', 0, '0xgas', 'wallet')`,
      [],
    );
  });
});
afterEach(() => database.drop());

function create(tradeNo: string, change: Partial<CreatePayout> = {}) {
  const input: CreatePayout = {
    tradeNo,
    appId: 'app_1',
    idempotencyKey: `key:${tradeNo}`,
    signature: tradeNo,
    inputHash: 'hash',
    chain: eth,
    currency: usdt,
    toAddress: '0xto',
    amount: units(100n),
    gas: units(7n),
    networkFee: amountOf(1000, 5n),
    feeCap: amountOf(1000, 50n),
    value: 1n,
    callbackUrl: null,
    codeStep: undefined,
    nowMs: NOW_MS,
    ...change,
  };
  return database.transact((tx) => createPayout(tx, input));
}

let outgoing = 0;
/** What is asked to be sent, by the payouts that it is for. */
async function claim(limit = 10): Promise<readonly string[]> {
  const input = {
    chain: eth,
    limit,
    newOutgoingId: () => `out_${++outgoing}`,
    nowMs: NOW_MS,
    lease: TEST_LEASE,
  };
  const before = new Set(await requested());
  await database.transact((tx) => sendPayouts(tx, input));
  return (await requested()).filter((tradeNo) => !before.has(tradeNo));
}

async function requested(): Promise<readonly string[]> {
  const rows = await database.reader.read<{ subject_id: string }>(
    "SELECT subject_id FROM outgoing_transactions WHERE subject_kind = 'payout' AND state <> 'cancelled' ORDER BY subject_id",
    [],
  );
  return rows.map((row) => row.subject_id);
}

/** The payer gave it its place: from now on the signer may be asked. */
const prepare = () =>
  database.transact((tx) =>
    tx.write("UPDATE outgoing_transactions SET state = 'prepared' WHERE state = 'waiting'", []),
  );

const start = (tradeNo: string) => database.transact((tx) => startPayout(tx, tradeNo, NOW_MS + 2_000));
const cancel = (tradeNo: string) =>
  database.transact((tx) => cancelPayout(tx, { tradeNo, by: 'ann', reason: 'typo', nowMs: NOW_MS }));
const fail = (tradeNo: string) =>
  database.transact((tx) => failPayout(tx, { tradeNo, proof: { txId: '0xbad', time: 9 }, ...writing }));
const sent: Transfer = {
  chain: 'ETH',
  txId: '0xgood',
  position: 'log:0',
  from: '0xwallet',
  to: '0xto',
  amount: units(100n),
  block: { number: 5, hash: '0xb5', time: 8 },
};

/** The final transfer is booked as sent, which its sender does. */
function leave() {
  const left = [
    { account: custodyOf('ETH'), amount: sent.amount },
    { account: sentOf('ETH'), amount: negate(sent.amount) },
  ];
  return database.transact((tx) => insertEntries(tx, [entryOf('sent', 'ETH/0xgood/log:0', left)], NOW_MS));
}
const complete = (tradeNo: string, transfer = sent) =>
  database.transact((tx) => completePayout(tx, { tradeNo, transfer, ...writing }));

async function balances() {
  const rows = await database.reader.read<{ kind: string; balance: string }>(
    'SELECT kind, balance FROM accounts WHERE balance <> 0',
    [],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

async function webhooks() {
  const rows = await database.reader.read<{ body: string; type: string; final: boolean; url: string }>(
    'SELECT body, type, final, url FROM events ORDER BY sequence',
    [],
  );
  return rows.map(({ body, ...row }) => ({ ...row, ...JSON.parse(body) }));
}

describe('a payout', () => {
  it('is paid: once, however often it is settled, with the fees booked and one webhook', async () => {
    await create('pay_1');
    expect(await balances()).toEqual({ available: '893', custody: '-1000', frozen: '107' });
    expect(await claim()).toEqual(['pay_1']);
    expect(await claim()).toEqual([]);
    await prepare();
    expect(await cancel('pay_1')).toBe('on-its-way');
    expect(await complete('pay_1')).toBe('not-started');
    expect(await start('pay_1')).toBe('moved');
    expect(await start('pay_1')).toBe('on-its-way');
    expect(await complete('pay_1', { ...sent, amount: units(99n) })).toBe('mismatch');
    await leave();
    const outcomes = await Promise.all([complete('pay_1'), complete('pay_1'), fail('pay_1')]);
    expect(outcomes.filter((outcome) => outcome === 'moved')).toHaveLength(1);
    expect(await readPayout(database.reader, 'pay_1')).toMatchObject({
      startTime: START_TIME + 2,
      end: expect.objectContaining({ by: null }),
    });
  });

  it('waits for the wallet of its app: what is collected for it never comes to the gas wallet', async () => {
    await database.transact((tx) => tx.write("DELETE FROM addresses WHERE address = '0xwallet'", []));
    await create('pay_1');
    expect(await claim()).toEqual([]);
    expect(await readPayout(database.reader, 'pay_1')).toMatchObject({ isClaimed: false });
  });

  it('takes nothing of what lies where it cannot be moved', async () => {
    await database.transact((tx) =>
      tx.write(
        `INSERT INTO holdings (chain, address_id, currency_id, app_id, state, units, since_ms, reason)
         SELECT 'ETH', address_id, $1, app_id, 'frozen', 950, 0, 'blacklisted' FROM addresses
         WHERE app_id = 'app_1' AND purpose <> 'wallet'`,
        [USDT],
      ),
    );
    expect(await create('pay_1')).toMatchObject({ outcome: 'refused', refusal: { code: 'balance-short' } });
    expect(await create('pay_2', { amount: units(40n) })).toMatchObject({ outcome: 'created' });
    expect(await create('pay_3', { amount: units(1n) })).toMatchObject({ outcome: 'refused' });
    expect(await balances()).toEqual({ available: '953', custody: '-1000', frozen: '47' });
  });

  it('leaves books that agree with it when it is paid', async () => {
    await create('pay_1');
    await claim();
    await start('pay_1');
    await leave();
    expect(await complete('pay_1')).toBe('moved');
    expect(await complete('pay_1')).toBe('ended');
    expect(await fail('pay_1')).toBe('ended');
    expect(await balances()).toEqual({ available: '893', custody: '-900', 'network-charge': '7' });
    expect(await webhooks()).toEqual([
      {
        type: 'TRANSFER',
        final: true,
        url: 'http://shop.test/hook',
        tradeNo: 'pay_1',
        status: 'PAID',
        txId: '0xgood',
        time: 8,
      },
    ]);
    expect(await findUnbalanced(database.reader)).toEqual([]);
  });

  it('fails: all of it is released once, and reported once to its own address', async () => {
    await create('pay_1', { callbackUrl: 'http://other.test/hook' });
    await claim();
    expect(await fail('pay_1')).toBe('not-started');
    await start('pay_1');
    const outcomes = await Promise.all([fail('pay_1'), fail('pay_1'), fail('pay_1')]);
    expect(outcomes.toSorted()).toEqual(['ended', 'ended', 'moved']);
    expect(await complete('pay_1')).toBe('ended');
    expect(await balances()).toEqual({ available: '1000', custody: '-1000' });
    expect(await webhooks()).toMatchObject([
      { status: 'FAIL', txId: '0xbad', time: 9, url: 'http://other.test/hook' },
    ]);
    expect(await findUnbalanced(database.reader)).toEqual([]);
  });

  it('is cancelled before it is claimed: released, no webhook, who and why kept; parallel with a claim one wins', async () => {
    await create('pay_1');
    expect(await cancel('pay_1')).toBe('moved');
    expect(await cancel('pay_1')).toBe('ended');
    expect(await start('pay_1')).toBe('ended');
    expect(await balances()).toEqual({ available: '1000', custody: '-1000' });
    expect(await webhooks()).toEqual([]);
    expect((await readPayout(database.reader, 'pay_1'))?.end).toMatchObject({ by: 'ann', reason: 'typo' });
    for (let round = 2; round < 6; round++) {
      await create(`pay_${round}`);
      const [, cancelled] = await Promise.all([claim(), cancel(`pay_${round}`)]);
      expect((await requested()).includes(`pay_${round}`)).toBe(cancelled !== 'moved');
    }
    expect(await cancel('pay_unknown')).toBe('unknown');
  });

  it('is cancelled with its transfer while that waits, and not once it is prepared', async () => {
    await create('pay_1');
    await create('pay_2');
    expect(await claim(1)).toEqual(['pay_1']);
    expect(await cancel('pay_1')).toBe('moved');
    expect(await requested()).toEqual([]);
    expect(await claim()).toEqual(['pay_2']);
    await prepare();
    expect(await cancel('pay_2')).toBe('on-its-way');
    // On Tron what expired waits to be built anew: a refused cancel leaves that as it is.
    await start('pay_2');
    await database.transact((tx) =>
      tx.write("UPDATE outgoing_transactions SET state = 'waiting' WHERE subject_id = 'pay_2'", []),
    );
    expect(await cancel('pay_2')).toBe('on-its-way');
    expect(await requested()).toEqual(['pay_2']);
    const [row] = await database.reader.read(
      "SELECT to_address, units, fee_cap, subject FROM outgoing_transactions WHERE subject_id = 'pay_2'",
      [],
    );
    const subject = JSON.stringify({ kind: 'payout', id: 'pay_2', approval: null });
    expect(row).toEqual({ to_address: '0xto', units: '100', fee_cap: '50', subject });
  });

  it('waits for a second person above a value, whose approval is kept for the signer and runs out', async () => {
    await database.transact((tx) => changeRules(tx, 'app_1', { approvalAbove: 0n }));
    expect(await create('pay_1')).toMatchObject({ outcome: 'created', payout: { needsApproval: true } });
    expect(await claim()).toEqual([]);
    expect(await start('pay_1')).toBe('not-claimed');
    const approval = { approver: 'bob', feeCap: 50n, signature: 'ab'.repeat(64), approvedAtMs: NOW_MS };
    const approve = (expiry: number) =>
      database.transact((tx) => approvePayout(tx, 'pay_1', { ...approval, expiry }));
    // hits mark: approvals-are-bounded
    expect(await approve(START_TIME)).toBe('approval-ended');
    expect(await approve(START_TIME + 720 * 3600 + 1)).toBe('approval-too-long');
    expect(
      await database.transact((tx) =>
        approvePayout(tx, 'pay_1', { ...approval, feeCap: 51n, expiry: START_TIME + 9 }),
      ),
    ).toBe('approval-fee-too-high');
    expect(await claim()).toEqual([]);
    expect(await approve(START_TIME + 60)).toBe('moved');
    expect(await approve(START_TIME + 30)).toBe('moved');
    expect(await readApprovals(database.reader, 'pay_1')).toEqual([{ ...approval, expiry: START_TIME + 60 }]);
    expect(await claim()).toEqual(['pay_1']);
    const [row] = await database.reader.read<{ subject: string; fee_cap: string }>(
      'SELECT subject, fee_cap FROM outgoing_transactions',
      [],
    );
    expect([JSON.parse(row?.subject ?? '').approval.approver, row?.fee_cap]).toEqual(['bob', '50']);
    await prepare();
    await start('pay_1');
    expect(await approve(START_TIME + 90)).toBe('on-its-way');
    // On Tron it expired unmined and waits to be built anew: the approval is used up.
    const waits = `UPDATE outgoing_transactions SET state = 'waiting', trouble = 'approval-used', trouble_since_ms = 1,
      next_at_ms = 9e15`;
    await database.transact((tx) => tx.write(waits, []));
    const anew = { ...approval, feeCap: 40n, signature: 'cd'.repeat(64), expiry: START_TIME + 30 };
    expect(await database.transact((tx) => approvePayout(tx, 'pay_1', anew))).toBe('moved');
    const [renewed] = await database.reader.read<{ subject: string }>(
      'SELECT subject, fee_cap, trouble, next_at_ms FROM outgoing_transactions',
      [],
    );
    expect(renewed).toMatchObject({ fee_cap: '40', trouble: null, next_at_ms: NOW_MS });
    expect(JSON.parse(renewed?.subject ?? '').approval).toMatchObject({
      signature: anew.signature,
      feeCap: '40',
    });
  });

  // hits mark: bound-at-the-cost-that-was-shown
  it('is made at the cost that was shown, or not at all', async () => {
    const shown = (count: bigint, feeMode: FeeMode = 'on-top') => ({
      shown: { mostCost: units(count), feeMode },
    });
    expect(await create('pay_1', shown(6n))).toMatchObject({ outcome: 'refused' });
    // Who bears the fees is a part of it: the recipient would get less than was shown.
    expect(await create('pay_1', shown(7n, 'deducted'))).toMatchObject({ outcome: 'refused' });
    expect(await create('pay_1', shown(7n))).toMatchObject({ outcome: 'created' });
  });

  it('is claimed from each app in turn, and those of an app without a wallet hold nothing up', async () => {
    const run = (sql: string) => database.transact((tx) => tx.write(sql, []));
    for (const [appId, account] of [
      ['app_2', 8],
      ['app_3', 9],
    ])
      await run(`INSERT INTO apps SELECT (jsonb_populate_record(a, '{"app_id":"${appId}","account":${account}}')).* FROM apps a
        WHERE app_id = 'app_1'`);
    await run(`INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
      VALUES ('app_2', 'evm', 0, '0xsecond', 'wallet')`);
    for (const tradeNo of ['pay_1', 'pay_2', 'pay_3', 'pay_4', 'pay_5']) await create(tradeNo);
    await run("UPDATE payouts SET app_id = 'app_3' WHERE trade_no = 'pay_1'");
    await run("UPDATE payouts SET app_id = 'app_2' WHERE trade_no = 'pay_5'");
    await claim(2);
    expect(await requested()).toEqual(['pay_2', 'pay_5']);
    await claim(2);
    expect(await requested()).toEqual(['pay_2', 'pay_3', 'pay_4', 'pay_5']);
  });

  it('is claimed oldest first, and not while its chain is halted or its currency suspended', async () => {
    for (const tradeNo of ['pay_2', 'pay_1', 'pay_3']) await create(tradeNo);
    const run = (sql: string) => database.transact((tx) => tx.write(sql, []));
    await run(`INSERT INTO chain_cursors (chain, halted_reason, updated_at_ms) VALUES ('ETH', 'a reorg', 0)`);
    expect(await claim()).toEqual([]);
    await run('UPDATE chain_cursors SET halted_reason = NULL');
    await database.transact((tx) => suspendCurrency(tx, USDT, 'a difference', 0));
    expect(await claim()).toEqual([]);
    await run('DELETE FROM currency_suspensions');
    await Promise.all([claim(1), claim(1)]);
    expect(await requested()).toEqual(['pay_1', 'pay_2']);
    const listed = await listPayouts(database.reader, { appId: 'app_1', status: 'PROGRESS', limit: 2 });
    expect(listed.map(({ tradeNo }) => tradeNo)).toEqual(['pay_3', 'pay_2']);
  });
});

describe('the audit', () => {
  it('finds money that is bound for no payout, and a payout that its books contradict', async () => {
    await create('pay_1');
    await create('pay_2');
    await cancel('pay_2');
    const hands = (sql: string) => database.transact((tx) => tx.write(sql, []));
    await hands(`UPDATE payouts SET status = 'PROGRESS', end_time = NULL, ended_by = NULL, end_reason = NULL
                 WHERE trade_no = 'pay_2'`);
    expect(await auditBooks(database.reader)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('107 is frozen of app_1 in currency 1001, and its open payouts take 214'),
        expect.stringContaining('payout pay_2 is PROGRESS, and its release is not booked as that'),
      ]),
    );
  });

  // hits mark: failed-by-proof-alone
  it('ends by a word only where its transaction has failed for good', async () => {
    await create('pay_1');
    await claim();
    const word = { by: 'ann', reason: 'overtaken', approvedBy: null };
    const how = { tradeNo: 'pay_1', status: 'FAIL', paidBy: null, ...word, ...writing } as const;
    const end = () => database.transact((tx) => endByHand(tx, how));
    await prepare();
    await start('pay_1');
    expect(await end()).toBe('not-failed');
    const overtaken = `UPDATE outgoing_transactions SET state = 'failed', tx_id = '0xours', next_at_ms = NULL, ended_at_ms = 9000`;
    await database.transact((tx) => tx.write(overtaken, []));
    expect(await end()).toBe('moved');
    expect(await end()).toBe('ended');
    expect(await readPayout(database.reader, 'pay_1')).toMatchObject({
      status: 'FAIL',
      end: { txId: '0xours', time: 9 },
    });
  });
});
