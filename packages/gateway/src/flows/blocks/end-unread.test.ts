// A transaction of ours in a skipped block is ended as reading the block would have ended it, once, and by nothing else.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  plainWriting,
  START_TIME,
  TEST_LEASE,
  transferTo,
  USDT,
} from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { insertColdAddresses, readColdHoldings } from '../../db/tables/books/cold-storage.ts';
import { readExpectedBalances } from '../../db/tables/books/expected-balances.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { readSuspensions } from '../../db/tables/books/currency-suspensions.ts';
import { readPayout } from '../../db/tables/payouts/payouts.ts';
import { createPayout } from '../payouts/create-payout.ts';
import { sendPayouts } from '../payouts/send-payouts.ts';
import { startPayout } from '../payouts/start-payout.ts';
import { askColdTransfer } from '../collections/ask-cold-transfer.ts';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';
import { endInNoBlock } from './end-in-no-block.ts';
import { endUnread, type EndUnread } from './end-unread.ts';
import { haltChain } from './halt-chain.ts';
import { resumeChain } from './resume-chain.ts';
import { rewindChain } from './rewind-chain.ts';

const nowMs = START_TIME * 1000;
const usdt = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;
const units = (count: bigint) => amountOf(USDT, count);
const [cold, gasWallet] = ['0xcold', '0xgas'];
let database: TestDatabase;
const run = (sql: string, ...values: readonly (string | number | null)[]) =>
  database.transact((tx) => tx.write(sql, values));
const onNew = (number: number) => headerAt(number, { branch: 'b' });
const skipped = onNew(3);

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await fundApp(database, 'app_1', USDT, 100_000n);
  await run(
    "INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('pay-ETH', 1, 'test', 0, 0)",
  );
  await run(`INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
    VALUES ('app_1', 'evm', 0, '0xwallet', 'wallet'), (NULL, 'evm', 0, '${gasWallet}', 'wallet')`);
  await database.transact((tx) => insertColdAddresses(tx, 'ETH', [cold]));
  const first = headerAt(1);
  const coin = { amount: amountOf(1000, 1_000n) };
  const transfers = [
    transferTo('0xwallet', first, { units: 1_000n, txId: '0xin1' }),
    transferTo('0xwallet', first, { ...coin, txId: '0xin2' }),
    transferTo(gasWallet, first, { ...coin, txId: '0xin3' }),
  ];
  await bookBlock(database, { header: first, transfers, final: first });
  for (const number of [2, 3, 4])
    await bookBlock(database, { header: headerAt(number), final: headerAt(number) });
});
afterAll(() => database.drop());

/** The transaction of a subject as it stands once it was sent, with these variants. */
async function sign(
  id: string,
  nonce: number,
  ...variants: readonly { txId: string; expiresAtMs?: number }[]
) {
  await run(
    "UPDATE outgoing_transactions SET state = 'signed', nonce = $2 WHERE subject_id = $1",
    id,
    variants.some(({ expiresAtMs }) => expiresAtMs !== undefined) ? null : nonce,
  );
  for (const [index, { txId, expiresAtMs = null }] of variants.entries())
    await run(
      `INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, expires_at_ms, reference, prepared_at_ms, tx_id,
         bytes, signed_at_ms, log_sequence) VALUES ($1, $2, 'ETH', '{}', $3, 2, 0, $4, 'ff', 0, 1)`,
      `out_${id}`,
      index + 1,
      expiresAtMs,
      txId,
    );
}

async function pay(tradeNo: string): Promise<string> {
  await database.transact((tx) =>
    createPayout(tx, {
      tradeNo,
      appId: 'app_1',
      idempotencyKey: tradeNo,
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
      nowMs,
    }),
  );
  const sending = { chain: eth, limit: 9, newOutgoingId: () => `out_${tradeNo}`, nowMs, lease: TEST_LEASE };
  await database.transact((tx) => sendPayouts(tx, sending));
  await database.transact((tx) => startPayout(tx, tradeNo, nowMs));
  return tradeNo;
}

interface Shown {
  readonly kind?: SubjectKind;
  readonly from?: string;
  readonly to?: string;
  readonly amount?: EndUnread['transfers'][number]['amount'];
  readonly status?: 'succeeded' | 'failed';
  readonly block?: BlockHeader;
}

function shownOf(txId: string, how: Shown) {
  const { from = '0xwallet', to = '0xto', amount = units(100n), status = 'succeeded', block = skipped } = how;
  const inclusion = { chain: 'ETH', txId, block, status, payer: from, fee: amountOf(1000, 3n) };
  const transfer = { chain: 'ETH', txId, position: 'log:0', from, to, amount, block };
  return { inclusions: [inclusion], transfers: status === 'failed' ? [] : [transfer] };
}

/** A person ends it by a block that shows this. */
function look(id: string, txId: string, how: Shown = {}) {
  const word = { by: 'ann', reason: 'a fork', approvedBy: 'bob' };
  const { kind = 'payout' } = how;
  const input = { subject: { kind, id }, chain: eth, ...shownOf(txId, how), ...word, ...plainWriting, nowMs };
  return database.transact((tx) => endUnread(tx, input));
}

async function rewind(target: BlockHeader) {
  await database.transact((tx) =>
    haltChain(tx, { chain: 'ETH', reason: 'fork below the final height', nowMs: 0, lease: TEST_LEASE }),
  );
  const tipHash = (await readCursors(database.reader)).get('ETH')?.head?.hash ?? '';
  const how = { ancestor: { number: 2 }, by: 'Ada', reason: 'ticket 7', nowMs: 1_000 };
  const rewound = await database.transact((tx) => rewindChain(tx, { chain: 'ETH', tipHash, target, ...how }));
  await database.transact((tx) => resumeChain(tx, 'ETH', 0));
  return rewound.outcome;
}

/** What the books expect at a wallet in the token and in the coin, and what its custody accounts say. */
async function heldAt(wallet: string) {
  const ids = await database.reader.read<{ id: number }>(
    'SELECT address_id AS id FROM addresses WHERE address = $1',
    [wallet],
  );
  const addressIds = ids.map(({ id }) => id);
  const expected = await readExpectedBalances(database.reader, { chain: 'ETH', addressIds, atBlock: 9 });
  const custody = await database.reader.read<{ id: number; units: string }>(
    "SELECT currency_id AS id, (-balance)::text AS units FROM accounts WHERE kind = 'custody' AND owner = $1 ORDER BY 1",
    [`ETH/${wallet}`],
  );
  const amounts = [...(expected.get(addressIds[0] ?? 0)?.entries() ?? [])].sort(
    ([one], [other]) => one - other,
  );
  const sums = amounts.map(([id, amount]) => ({ id, units: String(unitsOf(amount)) }));
  expect(sums).toEqual(custody);
  return Object.fromEntries(sums.map(({ id, units: sum }) => [id, Number(sum)]));
}

const payoutStates = async (...tradeNos: readonly string[]) =>
  Promise.all(tradeNos.map(async (one) => (await readPayout(database.reader, one))?.status));

const [succeeded, failed] = (['succeeded', 'failed'] as const).map((verdict) => ({
  outcome: 'ended',
  verdict,
}));
const [dead, alive] = [nowMs + 3_999, nowMs + 9_000];

// hits mark: only-skipped-blocks-are-looked-up
// hits mark: a-skipped-block-shows-the-promise
it('ends payouts by what a skipped block shows, as reading it would have', async () => {
  await sign(await pay('p_paid'), 0, { txId: '0x51' });
  await sign(await pay('p_failed'), 1, { txId: '0x52' });
  await sign(await pay('p_less'), 2, { txId: '0x53' });
  await sign(await pay('p_again'), 0, { txId: '0x65', expiresAtMs: dead });
  await run("UPDATE outgoing_transactions SET state = 'waiting' WHERE subject_id = 'p_again'");
  // The books have read the block, until a person leads them past it.
  expect(await look('p_paid', '0x51')).toEqual({ outcome: 'not-skipped' });
  expect(await rewind(onNew(4))).toBe('rewound');
  await sign(await pay('p_later'), 9, { txId: '0x54' });
  const before = await heldAt('0xwallet');
  expect(await look('p_later', '0x54')).toEqual({ outcome: 'not-skipped' });
  expect(await look('p_paid', '0x51', { block: onNew(5) })).toEqual({ outcome: 'not-skipped' });
  expect(await look('p_paid', '0x52')).toEqual({ outcome: 'not-in-block' });
  expect(await look('p_less', '0x53', { amount: units(99n) })).toEqual({ outcome: 'mismatch' });
  expect(await look('p_paid', '0x51')).toEqual(succeeded);
  expect(await look('p_paid', '0x51')).toEqual({ outcome: 'unknown' });
  expect(await look('p_failed', '0x52', { status: 'failed' })).toEqual(failed);
  // It waited to be built anew when blocks were skipped: it is not, and its block ends it.
  expect(await look('p_again', '0x65')).toEqual(succeeded);
  expect(await payoutStates('p_paid', 'p_again', 'p_failed', 'p_less')).toEqual([
    'PAID',
    'PAID',
    'FAIL',
    'CONFIRMING-PROGRESS',
  ]);
  const after = await heldAt('0xwallet');
  expect([before[USDT]! - after[USDT]!, before[1000]! - after[1000]!]).toEqual([200, 9]);
  const approved = "SELECT approved_by FROM payout_endings WHERE trade_no = 'p_paid'";
  expect(await database.reader.read(approved, [])).toEqual([{ approved_by: 'bob' }]);
});

// hits mark: a-failure-proves-nothing-of-the-others
it('ends a payout that was built anew by the transaction that paid, once the other one has expired', async () => {
  // The newest final block is of second 4.
  await sign(
    await pay('p_built'),
    0,
    { txId: '0x61', expiresAtMs: dead },
    { txId: '0x62', expiresAtMs: alive },
  );
  await sign(
    await pay('p_both'),
    0,
    { txId: '0x63', expiresAtMs: dead },
    { txId: '0x64', expiresAtMs: alive },
  );
  await run('UPDATE outgoing_transactions SET may_be_unread = true');
  // The newer one could still follow.
  expect(await look('p_built', '0x61')).toEqual({ outcome: 'on-its-way' });
  expect(await look('p_built', '0x62')).toEqual(succeeded);
  // A failure says nothing of the other.
  expect(await look('p_both', '0x64', { status: 'failed' })).toEqual({ outcome: 'on-its-way' });
  expect(await payoutStates('p_built', 'p_both')).toEqual(['PAID', 'CONFIRMING-PROGRESS']);
});

it('ends fundings and transfers to cold storage as well', async () => {
  const asked = {
    from: '0xwallet',
    to: cold,
    amount: units(40n),
    feeCap: amountOf(1000, 9n),
    approval: null,
  };
  const moving = { chain: eth, by: 'ann', reason: 'a test', nowMs };
  await database.transact((tx) =>
    askColdTransfer(tx, { coldTransferId: 'cld_1', outgoingId: 'out_cld_1', ...asked, ...moving }),
  );
  await sign('cld_1', 3, { txId: '0x71' });
  const top = { from: gasWallet, to: '0xwallet', amount: amountOf(1000, 20n) };
  const recipient = { account: 1, branch: 'wallet', index: 0 } as const;
  await database.transact((tx) =>
    requestOutgoing(tx, {
      outgoingId: 'out_top_1',
      chain: eth,
      subject: { kind: 'funding', id: 'top_1', recipient },
      ...top,
      feeCap: amountOf(1000, 9n),
      nowMs,
    }),
  );
  await sign('top_1', 0, { txId: '0x72' });
  await run('UPDATE outgoing_transactions SET may_be_unread = true');
  const before = await heldAt('0xwallet');
  expect(await look('cld_1', '0x71', { kind: 'cold', to: cold, amount: units(40n) })).toEqual(succeeded);
  expect(await look('top_1', '0x72', { kind: 'funding', ...top })).toEqual(succeeded);
  expect(await readColdHoldings(database.reader, 'ETH')).toMatchObject([{ address: cold, held: units(40n) }]);
  const after = await heldAt('0xwallet');
  expect([before[USDT]! - after[USDT]!, before[1000]! - after[1000]!]).toEqual([40, 3 - 20]);
  await heldAt(gasWallet);
});

/** A person had these blocks searched, and none of them holds it. */
function search(id: string, from: number, to: number, kind: SubjectKind = 'payout') {
  const searched = { from, to, time: START_TIME + to };
  const word = { by: 'ann', reason: 'a fork', ...plainWriting, nowMs };
  const input = { chain: eth, subject: { kind, id }, searched, ...word };
  return database.transact((tx) => endInNoBlock(tx, input));
}

// hits mark: in-no-block-by-all-of-them
it('ends what no block holds, once every block that the books lack was searched and all of it has expired', async () => {
  // Each refers to block 2; the books begin behind block 4, which is of second 4 and their newest final one.
  await sign(
    await pay('p_none'),
    0,
    { txId: '0x81', expiresAtMs: dead },
    { txId: '0x82', expiresAtMs: dead },
  );
  await sign(
    await pay('p_alive'),
    0,
    { txId: '0x83', expiresAtMs: dead },
    { txId: '0x84', expiresAtMs: alive },
  );
  await sign(await pay('p_held'), 0, { txId: '0x85', expiresAtMs: dead });
  await sign(await pay('p_nonce'), 11, { txId: '0x86' });
  const open = ['p_none', 'p_alive', 'p_held', 'p_nonce'];
  expect(await search('p_none', 3, 4)).toBe('not-skipped');
  await run("UPDATE outgoing_transactions SET may_be_unread = true WHERE state = 'signed'");
  await run(`INSERT INTO inclusions (chain, tx_id, block_number, block_hash, block_time, status, address_id, currency_id, fee)
    SELECT 'ETH', '0x85', 4, 'b4', ${START_TIME + 4}, 'succeeded', address_id, 1000, 0 FROM addresses WHERE address = '0xwallet'`);
  expect(await search('p_none', 4, 4)).toBe('not-proven');
  expect(await search('p_none', 3, 3)).toBe('not-proven');
  for (const id of ['p_alive', 'p_held', 'p_nonce']) expect(await search(id, 3, 4)).toBe('not-proven');
  expect(await payoutStates(...open)).toEqual(open.map(() => 'CONFIRMING-PROGRESS'));
  expect(await search('p_none', 3, 4)).toBe('ended');
  expect(await search('p_none', 3, 4)).toBe('unknown');
  expect(await payoutStates('p_none')).toEqual(['FAIL']);
  const ended = "SELECT state, tx_id FROM outgoing_transactions WHERE subject_id = 'p_none'";
  expect(await database.reader.read(ended, [])).toEqual([{ state: 'failed', tx_id: '0x82' }]);
  const booked = "SELECT fact FROM entries WHERE reference = 'p_none' ORDER BY entry_id";
  expect(await database.reader.read(booked, [])).toEqual([{ fact: 'reservation' }, { fact: 'release' }]);
  await run("DELETE FROM inclusions WHERE tx_id = '0x85'");
});

// hits mark: what-ended-is-not-booked-again
it('reads what was ended so no second time: neither in its block nor in another one', async () => {
  expect(await rewind(onNew(2))).toBe('booked-behind');
  // Blocks are asked by name for what is open alone.
  const { transfers } = shownOf('0x51', { block: onNew(5) });
  const again = await bookBlock(database, { header: onNew(5), transfers });
  expect(again).toMatchObject({ outcome: 'repeats', transfer: { txId: '0x51', inBlock: 3 } });
  // What ended without a transfer in the books is known by its inclusion.
  const refund = transferTo('0xwallet', onNew(5), { units: 1n, txId: '0x52' });
  const other = await bookBlock(database, { header: onNew(5), transfers: [refund] });
  expect(other).toMatchObject({ outcome: 'repeats', transfer: { txId: '0x52', inBlock: 3 } });
  expect(await readSuspensions(database.reader)).toEqual([]);
  const troubles = await auditBooks(database.reader);
  // The money that the test gave the app has no entries.
  expect(troubles.filter((text) => !text.startsWith('account '))).toEqual([]);
});
