// A person ends payouts that the books cannot end: by an outflow of the same app, by proof, or by a word about odd ones.
import { eth } from '@ducat/core/chain/definitions/eth';
import { bookOutflow, bookSent } from '@ducat/core/ledger/recipes';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, plainWriting, START_TIME, TEST_LEASE, USDT } from '@ducat/testkit/fixtures';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { readExpectedBalances } from '../../db/tables/books/expected-balances.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { listOutflows, readFittingOutflow } from '../../db/tables/payouts/payout-endings.ts';
import { readPayout } from '../../db/tables/payouts/payouts.ts';
import { createPayout } from './create-payout.ts';
import { type EndByHand, endByHand, type PaidBy } from './end-by-hand.ts';
import { sendPayouts } from './send-payouts.ts';
import { startPayout } from './start-payout.ts';

const nowMs = START_TIME * 1000;
const usdt = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;
const units = (count: bigint) => amountOf(USDT, count);
let database: TestDatabase;
let made = 0;

const run = (sql: string, ...values: readonly (string | number | null)[]) =>
  database.transact((tx) => tx.write(sql, values));

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await fundApp(database, 'app_1', USDT, 100_000n);
  await run(
    "INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('pay-ETH', 1, 'test', 0, 0)",
  );
  await run(
    `INSERT INTO apps SELECT (jsonb_populate_record(a, '{"app_id":"app_2","account":9}')).* FROM apps a`,
  );
  await run(`INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
    VALUES ('app_1', 'evm', 0, '0xwallet', 'wallet'), ('app_2', 'evm', 0, '0xother', 'wallet')`);
  await run(`INSERT INTO chain_cursors (chain, start_number, head_number, head_hash, head_time, final_number, final_time,
    updated_at_ms) VALUES ('ETH', 1, 100, '0xhead', 2000, 90, 1000, 0)`);
});
afterEach(async () => {
  // The money that the test gave the app has no entries.
  const troubles = await auditBooks(database.reader);
  expect(troubles.filter((text) => !text.startsWith('account '))).toEqual([]);
});
afterAll(() => database.drop());

/** A payout of 100 units whose transaction stands in this state, with these variants. */
async function payoutWith(
  state: string,
  variants: readonly { readonly txId: string; readonly expiresAtMs: number | null }[],
  { needsApproval = false, to = '0xto', count = 100n } = {},
): Promise<string> {
  const tradeNo = `pay_${++made}`;
  await database.transact((tx) =>
    createPayout(tx, {
      tradeNo,
      appId: 'app_1',
      idempotencyKey: tradeNo,
      signature: tradeNo,
      inputHash: 'hash',
      chain: eth,
      currency: usdt,
      toAddress: to,
      amount: units(count),
      gas: units(7n),
      networkFee: amountOf(1000, 5n),
      feeCap: amountOf(1000, 50n),
      value: 1n,
      callbackUrl: null,
      codeStep: undefined,
      nowMs,
    }),
  );
  const sending = { chain: eth, limit: 9, newOutgoingId: () => `out_${tradeNo}`, nowMs, lease: TEST_LEASE };
  await database.transact((tx) => sendPayouts(tx, sending));
  await database.transact((tx) => startPayout(tx, tradeNo, nowMs));
  await run('UPDATE payouts SET needs_approval = $2 WHERE trade_no = $1', tradeNo, String(needsApproval));
  for (const [index, { txId, expiresAtMs }] of variants.entries())
    await run(
      `INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, expires_at_ms, reference, prepared_at_ms, tx_id,
         bytes, signed_at_ms, log_sequence) VALUES ($1, $2, 'ETH', '{}', $3, $4, 0, $5, 'ff', 0, 1)`,
      `out_${tradeNo}`,
      index + 1,
      expiresAtMs,
      expiresAtMs === null ? null : 5,
      txId,
    );
  const isOver = state === 'mismatched';
  await run(
    `UPDATE outgoing_transactions SET state = $2, next_at_ms = $3, ended_at_ms = $4, tx_id = $5 WHERE outgoing_id = $1`,
    `out_${tradeNo}`,
    state,
    isOver ? null : 0,
    isOver ? nowMs : null,
    isOver ? variants[0]!.txId : null,
  );
  return tradeNo;
}

/** A wallet has what stood with the deposit addresses until now. */
async function hold(wallet: string, count: bigint): Promise<void> {
  await run(
    `INSERT INTO accounts (kind, owner, currency_id, balance) VALUES ('custody', $1, $2, -$3::numeric)
     ON CONFLICT (kind, owner, currency_id) DO UPDATE SET balance = accounts.balance + excluded.balance`,
    `ETH/${wallet}`,
    USDT,
    String(count),
  );
  await run(
    `UPDATE accounts SET balance = balance + $1 WHERE kind = 'custody' AND owner = 'ETH'`,
    String(count),
  );
}

/** A final transfer out of a wallet, booked as what it was taken for. */
async function left(
  txId: string,
  count: bigint,
  { from = '0xwallet', to = '0xto', disposition = 'outgoing', position = 'log:0' } = {},
): Promise<PaidBy> {
  await run(
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, disposition, from_address_id)
     SELECT 'ETH', $1, $2, 0, $3, $4, $5, $6, 80, '0xb', 900, 'final', $7, address_id FROM addresses WHERE address = $4`,
    txId,
    position,
    USDT,
    from,
    to,
    String(count),
    disposition,
  );
  const identity = { chain: 'ETH', txId, position };
  const block = { number: 80, hash: '0xb', time: 900 };
  const transfer = { ...identity, from, to, amount: units(count), block };
  const own = { address: from, purpose: 'wallet', appId: null } as const;
  const booked = disposition === 'sent' ? bookSent(transfer, own) : bookOutflow(transfer, own);
  await hold(from, count);
  await database.transact((tx) => insertEntries(tx, [booked], nowMs));
  const cost = { status: 'succeeded', payer: from, fee: amountOf(1000, 0n) } as const;
  return { ...identity, family: 'evm', inclusion: { chain: 'ETH', txId, block, ...cost } };
}

const include = (txId: string, status = 'succeeded') =>
  run(
    `INSERT INTO inclusions (chain, tx_id, block_number, block_hash, block_time, status, address_id, currency_id, fee, final)
     SELECT 'ETH', $1, 80, '0xb', 900, $2, address_id, 1000, 0, true FROM addresses WHERE address = '0xwallet'`,
    txId,
    status,
  );

function end(tradeNo: string, how: Partial<EndByHand>) {
  const word = { by: 'ann', reason: 'a test', approvedBy: null, paidBy: null, status: 'PAID' } as const;
  const input = { tradeNo, ...word, ...plainWriting, nowMs, ...how };
  return database.transact((tx) => endByHand(tx, input));
}

const states = async (tradeNo: string) => {
  const rows = await database.reader.read<{ readonly state: string }>(
    'SELECT state FROM outgoing_transactions WHERE subject_id = $1',
    [tradeNo],
  );
  return [(await readPayout(database.reader, tradeNo))?.status, rows[0]?.state];
};

const balances = async () => {
  const rows = await database.reader.read<{ readonly kind: string; readonly units: string }>(
    `SELECT kind, sum(balance)::text AS units FROM accounts WHERE kind IN ('available', 'suspense', 'sent') GROUP BY kind`,
    [],
  );
  return Object.fromEntries(rows.map(({ kind, units: count }) => [kind, Number(count)]));
};

// hits mark: own-variant-excludes-the-others
it('is paid by an outflow of its own app, and by a variant of its own that a restored backup had forgotten', async () => {
  const tradeNo = await payoutWith('signed', [
    { txId: '0xa1', expiresAtMs: null },
    { txId: '0xa2', expiresAtMs: null },
  ]);
  const anothers = await left('0xc1', 100n, { from: '0xother' });
  expect(await end(tradeNo, { paidBy: anothers })).toBe('no-such-outflow');
  expect(await end(tradeNo, { paidBy: await left('0xc2', 100n) })).toBe('on-its-way');
  await run('UPDATE outgoing_transactions SET nonce = 7 WHERE subject_id = $1', tradeNo);
  await run('UPDATE senders SET next_nonce = 8, final_nonce = 7');
  expect(await end(tradeNo, { paidBy: await left('0xa1', 100n) })).toBe('moved');
  // Its nonce is spent, so its sender goes on.
  expect(await database.reader.read('SELECT final_nonce AS spent FROM senders', [])).toEqual([{ spent: 8 }]);
  expect(await states(tradeNo)).toEqual(['PAID', 'succeeded']);
  const built = await payoutWith('signed', [
    { txId: '0xe1', expiresAtMs: 500_000 },
    { txId: '0xe2', expiresAtMs: 1_500_000 },
  ]);
  // The second could still be included.
  expect(await end(built, { paidBy: await left('0xe1', 100n) })).toBe('on-its-way');
});

it('is paid by its own transfer where that counts as sent and the books know no block of the transaction', async () => {
  const [tradeNo, another] = [
    await payoutWith('signed', [{ txId: '0x71', expiresAtMs: null }]),
    await payoutWith('signed', [{ txId: '0x72', expiresAtMs: null }]),
  ];
  const [own, anothers] = [
    await left('0x71', 100n, { disposition: 'sent' }),
    await left('0x72', 100n, { disposition: 'sent' }),
  ];
  expect(await end(another, { paidBy: own })).toBe('no-such-outflow');
  expect(await end(tradeNo, { paidBy: own })).toBe('moved');
  expect(await states(tradeNo)).toEqual(['PAID', 'succeeded']);
  // Where the books know the block, they decide by themselves.
  await include('0x72');
  expect(await end(another, { paidBy: anothers })).toBe('no-such-outflow');
  await run("DELETE FROM inclusions WHERE tx_id = '0x72'");
  expect(await end(another, { paidBy: anothers })).toBe('moved');
});

// hits mark: waiting-is-dead-by-proof-alone
it('fails where it waits and every variant has expired for good, and not before', async () => {
  const alive = await payoutWith('waiting', [{ txId: '0xf1', expiresAtMs: 1_000_000 }]);
  expect(await end(alive, { status: 'FAIL' })).toBe('not-failed');
  const held = await payoutWith('waiting', [{ txId: '0xf2', expiresAtMs: 500_000 }]);
  await left('0xf2', 1n);
  expect(await end(held, { status: 'FAIL' })).toBe('not-failed');
  const dead = await payoutWith('waiting', [{ txId: '0xf3', expiresAtMs: 999_000 }], { to: '0xdead' });
  const before = await balances();
  expect(await end(dead, { status: 'FAIL' })).toBe('moved');
  expect(await states(dead)).toEqual(['FAIL', 'failed']);
  expect((await balances())['available']).toBe(before['available']! + 107);
});

// hits mark: failed-only-where-nothing-fits
it('does not fail where an outflow that paid no payout is exactly what it promised', async () => {
  const expired = { expiresAtMs: 999_000 };
  const paid = await payoutWith('waiting', [{ txId: '0xf4', ...expired }], { to: '0xtwice' });
  const other = await payoutWith('waiting', [{ txId: '0xf5', ...expired }], { to: '0xtwice' });
  await left('0xf6', 99n, { to: '0xtwice' });
  await left('0xf7', 100n, { to: '0xtwice', from: '0xother' });
  // Its second variant: the backup that came back had forgotten that.
  const second = await left('0xf8', 100n, { to: '0xtwice' });
  expect(await end(paid, { status: 'FAIL' })).toBe('outflow-fits');
  expect(await states(paid)).toEqual(['CONFIRMING-PROGRESS', 'waiting']);
  expect(second).toMatchObject((await readFittingOutflow(database.reader, paid)) ?? { txId: 'none' });
  expect(await end(paid, { paidBy: second })).toBe('moved');
  expect(await end(other, { status: 'FAIL' })).toBe('moved');
});

// hits mark: one-part-pays-one-payout
it('ends by a part of a transaction what no other payout has ended by', async () => {
  const to = '0xparts';
  const odd = await payoutWith('mismatched', [{ txId: '0xd1', expiresAtMs: null }], { to });
  await include('0xd1');
  const first = await left('0xd1', 60n, { to });
  const second = await left('0xd1', 30n, { to, position: 'log:1' });
  const small = (count: bigint) => payoutWith('waiting', [], { to, count });
  expect(await end(await small(60n), { paidBy: first })).toBe('moved');
  // What another payout took was read, so that no word is taken that nothing was.
  expect(await end(odd, {})).toBe('mismatch');
  const before = await balances();
  expect(await end(odd, { status: 'FAIL' })).toBe('moved');
  expect((await balances())['available']).toBe(before['available']! + 77);
  const late = await small(30n);
  expect(await end(late, { paidBy: second })).toBe('no-such-outflow');
  const listed = await listOutflows(database.reader, 50);
  expect(listed.filter(({ transfer }) => transfer.txId === '0xd1')).toEqual([]);
});

// hits mark: a-word-needs-a-second-person
it('has an exit where its transaction was not what was promised', async () => {
  const exact = await payoutWith('mismatched', [{ txId: '0xb1', expiresAtMs: null }]);
  await include('0xb1');
  const part = await left('0xb1', 100n, { disposition: 'sent' });
  await left('0xb1', 3n, { to: '0xthief', position: 'log:1' });
  expect(await end(exact, { status: 'FAIL' })).toBe('mismatch');
  expect(await end(exact, {})).toBe('mismatch');
  expect(await end(exact, { paidBy: part })).toBe('moved');

  const less = await payoutWith('mismatched', [{ txId: '0xb2', expiresAtMs: null }], { needsApproval: true });
  await include('0xb2');
  await left('0xb2', 60n);
  await left('0xb2', 30n, { to: '0xthief', position: 'log:1' });
  const before = await balances();
  expect(await end(less, { status: 'FAIL' })).toBe('second-person');
  expect(await end(less, { status: 'FAIL', approvedBy: 'ann' })).toBe('second-person');
  expect(await end(less, { status: 'FAIL', approvedBy: 'bob' })).toBe('moved');
  // What its recipient got is not given back; what went elsewhere stays for an operator.
  const after = await balances();
  expect(after).toEqual({
    available: before['available']! + 47,
    suspense: before['suspense']! + 60,
    sent: before['sent']!,
  });

  const kept = await database.reader.read('SELECT kept::text FROM payouts WHERE trade_no = $1', [less]);
  expect(kept).toEqual([{ kept: '60' }]);

  expect(await end(await payoutWith('signed', []), {})).toBe('not-mismatched');
});

/** What the wallet holds by the ledger, and what the reserve check expects it to hold. */
async function walletHeld(): Promise<{ readonly ledger: bigint; readonly expected: bigint }> {
  const [row] = await database.reader.read<{ readonly address_id: number; readonly units: string }>(
    `SELECT address_id, (-balance)::text AS units FROM addresses, accounts
     WHERE address = '0xwallet' AND kind = 'custody' AND owner = 'ETH/0xwallet' AND currency_id = $1`,
    [USDT],
  );
  const addressIds = [row!.address_id];
  const held = await readExpectedBalances(database.reader, { chain: 'ETH', addressIds, atBlock: 100 });
  return {
    ledger: BigInt(row!.units),
    expected: unitsOf(held.get(row!.address_id)?.get(USDT) ?? units(0n)),
  };
}

// hits mark: a-word-writes-what-left
it('is paid by a word, and ledger and reserve check both expect that much less in its wallet', async () => {
  const unread = await payoutWith('mismatched', [{ txId: '0xb3', expiresAtMs: null }]);
  await include('0xb3');
  await hold('0xwallet', 100n);
  const [before, accounts] = [await walletHeld(), await balances()];
  expect(await end(unread, {})).toBe('moved');
  expect(await states(unread)).toEqual(['PAID', 'mismatched']);
  const after = await walletHeld();
  expect([before.ledger - after.ledger, before.expected - after.expected]).toEqual([100n, 100n]);
  expect((await balances())['sent']).toBe(accounts['sent']!);
  // It paid this payout, and no other one.
  const twin = await payoutWith('waiting', []);
  const cost = { chain: 'ETH', txId: '0xb3', status: 'succeeded', payer: '0xwallet' } as const;
  const inclusion = { ...cost, block: { number: 80, hash: '0xb', time: 900 }, fee: amountOf(1000, 0n) };
  const paidBy = { chain: 'ETH', txId: '0xb3', position: 'unread', family: 'evm', inclusion } as const;
  expect(await end(twin, { paidBy })).toBe('no-such-outflow');
});
