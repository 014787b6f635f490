// How old open outgoing transactions are: those that wait since they were asked for, signed ones since their first signature.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, USDT } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { requestOutgoing } from '../../flows/outgoing/request-outgoing.ts';
import { readOutgoingReport } from './outgoing-report.ts';

let database: TestDatabase;
const run = (sql: string) => database.transact((tx) => tx.write(sql, []));

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await run(
    "INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('evm', 0, '0xwallet', 'wallet')",
  );
});
afterAll(() => database?.drop());

it('is since the first signature once one is signed, however long it waited before', async () => {
  const age = async () => {
    const { work } = await readOutgoingReport(database.reader, 9_000);
    return Object.fromEntries(work.map(({ state, oldestMs }) => [state, oldestMs]));
  };
  expect(await age()).toEqual({});
  for (const [place, nowMs] of [1_000, 2_000, 3_000].entries())
    await database.transact((tx) =>
      requestOutgoing(tx, {
        outgoingId: `out_${place + 1}`,
        chain: eth,
        subject: { kind: 'payout', id: `pay_${place + 1}`, approval: null },
        from: '0xwallet',
        to: '0xthem',
        amount: amountOf(USDT, 5n),
        sweeping: null,
        feeCap: amountOf(1000, 1n),
        nowMs,
      }),
    );
  expect(await age()).toEqual({ waiting: 1_000 });
  await run(`INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, prepared_at_ms, tx_id, bytes, signed_at_ms,
      log_sequence)
    VALUES ('out_1', 1, 'ETH', '{}', 6000, '0x1', 'ff', 7000, 1), ('out_1', 2, 'ETH', '{}', 7000, '0x2', 'ff', 8000, 2),
      ('out_1', 3, 'ETH', '{}', 8500, NULL, NULL, NULL, NULL), ('out_2', 1, 'ETH', '{}', 8000, '0x3', 'ff', 8100, 3)`);
  await run(`UPDATE outgoing_transactions SET state = 'signed', nonce = created_at_ms
    WHERE outgoing_id IN ('out_1', 'out_2')`);
  expect(await age()).toEqual({ signed: 7_000, waiting: 3_000 });
});
