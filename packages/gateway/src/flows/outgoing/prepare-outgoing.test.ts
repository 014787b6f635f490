// How many transactions of a chain are prepared while others are not final.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { MOST_OPEN, MOST_OPEN_WITH_OFFERS } from '@ducat/core/outgoing/outgoing';
import type { EvmTransferIntent } from '@ducat/core/signing/transfer-intent';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, TEST_LEASE, USDT } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readOpenTxIds } from '../../db/tables/outgoing/inclusions.ts';
import { prepareOutgoing } from './prepare-outgoing.ts';
import { prepareReplacement } from './prepare-replacement.ts';
import { requestOutgoing } from './request-outgoing.ts';

let database: TestDatabase;
const run = (sql: string) => database.transact((tx) => tx.write(sql, []));

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await run(
    "INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('pay-ETH', 1, 'test', 0, 0)",
  );
  await run(
    "INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('evm', 0, '0xwallet', 'wallet')",
  );
  await bookBlock(database, { header: headerAt(1), final: headerAt(1) });
});
afterAll(() => database?.drop());

const subject = (number: number) => ({ kind: 'payout', id: `pay_${number}`, approval: null }) as const;

/** What was signed of the second. */
const intent: EvmTransferIntent = {
  family: 'evm',
  subject: subject(2),
  key: { account: 1, branch: 'wallet', index: 0 },
  chainId: eth.chainId,
  nonce: 8,
  to: '0xthem',
  contract: null,
  baseUnits: 5n,
  gasLimit: 21_000n,
  fees: { type: 'fee-market', maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
};

// hits mark: no-more-than-blocks-are-asked-for
// hits mark: what-a-block-holds-is-not-built-anew
it('are so few that blocks can be asked for each, and the others wait', async () => {
  const moved = { to: '0xthem', amount: amountOf(USDT, 5n), sweeping: null };
  for (const number of [1, 2, 3])
    await database.transact((tx) =>
      requestOutgoing(tx, {
        outgoingId: `out_${number}`,
        chain: eth,
        subject: subject(number),
        from: '0xwallet',
        ...moved,
        feeCap: amountOf(1000, 1n),
        nowMs: number,
      }),
    );
  await run('UPDATE senders SET next_nonce = 7, final_nonce = 7');
  const [sender] = await database.reader.read<{ id: number }>('SELECT sender_id AS id FROM senders', []);
  const prices = { gasLimit: 21_000n, priceThen: 1n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  const ready = [1, 2, 3].map((number) => ({
    outgoingId: `out_${number}`,
    subject: subject(number),
    key: { account: 1, branch: 'wallet', index: 0 } as const,
    currency: eth.currencies.find(({ currencyId }) => currencyId === USDT)!,
    ...moved,
    delegation: null,
    terms: { family: 'evm', ...prices, isLegacy: false } as const,
  }));
  const prepare = (from: number, { mostOpen, lastOrdinal } = { mostOpen: 2, lastOrdinal: 0 }) => {
    const these = ready.slice(from).map((one) => ({ ...one, lastOrdinal }));
    const input = { chain: eth, senderId: sender!.id, ready: these, mostOpen };
    return database.transact((tx) => prepareOutgoing(tx, { ...input, nowMs: 9, lease: TEST_LEASE }));
  };
  expect(await prepare(0)).toEqual({ outcome: 'prepared', count: 2 });
  const reason = '2 transactions of the chain are signed and not final';
  expect(await prepare(2)).toEqual({ outcome: 'not-now', reason });
  // What is signed already can still offer more: blocks may leave it out for its price alone.
  const offer = (mostOpen: number) => {
    const terms = { family: 'evm', ...prices, maxFeePerGas: 3n, isLegacy: false } as const;
    const input = { chain: eth.name, outgoingId: 'out_2', ordinal: 1, intent, terms };
    return database.transact((tx) =>
      prepareReplacement(tx, { ...input, mostOpen, nowMs: 9, lease: TEST_LEASE }),
    );
  };
  await run("UPDATE outgoing_transactions SET state = 'signed' WHERE outgoing_id = 'out_2'");
  expect(await offer(2)).toBe(false);
  expect(await offer(2 + MOST_OPEN_WITH_OFFERS - MOST_OPEN)).toBe(true);
  await run('DELETE FROM outgoing_variants WHERE ordinal = 2');
  // The watcher names all of them to the blocks it reads, and stops for no number of them.
  await run(
    `UPDATE outgoing_variants SET tx_id = '0x' || outgoing_id, bytes = 'ff', signed_at_ms = 9, log_sequence = 1`,
  );
  expect((await readOpenTxIds(database.reader, eth.name)).size).toBe(2);
  await run(`UPDATE outgoing_transactions SET state = 'succeeded', next_at_ms = NULL, ended_at_ms = 9, tx_id = '0xout_1'
    WHERE outgoing_id = 'out_1'`);
  expect(await prepare(2)).toEqual({ outcome: 'prepared', count: 1 });
  // Where it waits all the same, what a block holds of it counts.
  await run("UPDATE outgoing_transactions SET state = 'waiting', nonce = NULL WHERE outgoing_id = 'out_2'");
  await run(`INSERT INTO inclusions (chain, tx_id, block_number, block_hash, block_time, status, address_id, currency_id, fee)
    SELECT 'ETH', '0xout_2', 1, 'a1', 1, 'succeeded', address_id, 1000, 1 FROM senders`);
  expect(await prepare(1, { mostOpen: 9, lastOrdinal: 1 })).toEqual({ outcome: 'prepared', count: 0 });
});
