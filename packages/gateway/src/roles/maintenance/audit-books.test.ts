// The audit that goes on: it finds what was booked wrongly since the last time, once, and reads nothing twice.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertTestOrder, transferTo } from '@ducat/testkit/fixtures';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditAll } from '../../db/reports/audit.ts';
import { readAuditFindings } from '../../db/tables/books/audit-findings.ts';
import { readAuditMark } from '../../db/tables/books/audit-marks.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { CHECKS_LEASE } from '../../flows/checks/checks-lease.ts';
import { settleAudit } from '../../flows/checks/settle-audit.ts';
import { auditRound, type BookAudit, runBookAudit } from './audit-books.ts';

const lease = { token: 1, holder: 'test' };
let database: TestDatabase;
let audit: BookAudit;
let errors: object[];
let blocks = 0;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await database.transact((tx) =>
    tx.write(`INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ($1, 1, 'test', 0, 0)`, [
      CHECKS_LEASE,
    ]),
  );
  errors = [];
  blocks = 0;
  const ignore = () => undefined;
  const log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (fields: object) => void errors.push(fields),
  };
  const { transact, reader } = database;
  audit = { chains: ['ETH'], transact, reader, world: createHandClock(9_000), idle: chainsInUse, log };
});
afterEach(() => database.drop());

/** A final block that pays a new order. */
async function pay(): Promise<string> {
  const number = ++blocks;
  const order = await insertTestOrder(database, { tradeNo: `ord_${number}` });
  const header = headerAt(number);
  const transfers = [transferTo(order.address, header)];
  const booked = await bookBlock(database, { header, transfers, final: header });
  expect(booked.outcome).toBe('accepted');
  return order.tradeNo;
}

/** Runs a statement as a superuser, who can switch triggers and constraints off. */
async function tamper(sql: string): Promise<void> {
  await database.transact(async (tx) => {
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    await tx.write(sql, []);
  });
}

const findings = async () => (await readAuditFindings(database.reader, 100)).map(({ finding }) => finding);

/** Rounds until all that is booked was audited: tests beside this one have transactions open that have to end first. */
async function runAudit(): Promise<readonly string[]> {
  const isDone = async () => {
    await auditRound(audit, lease, 0);
    const [newest] = await database.reader.read<{ id: number }>(
      'SELECT max(entry_id) AS id FROM entries',
      [],
    );
    return (await readAuditMark(database.reader, 'entries')).position >= (newest?.id ?? 0);
  };
  await expect.poll(isDone, { timeout: 30_000 }).toBe(true);
  await auditRound(audit, lease, 0);
  return findings();
}

describe('the audit that goes on', () => {
  it('finds nothing in books that are right, and reads each entry once', async () => {
    await pay();
    expect(await runAudit()).toEqual([]);
    await pay();
    const read: string[] = [];
    const reader: Reader = {
      read: (sql, values) => {
        if (/FROM entries WHERE entry_id >/.test(sql)) read.push(String(values[0]));
        return database.reader.read(sql, values);
      },
    };
    audit = { ...audit, reader };
    expect(await runAudit()).toEqual([]);
    const { position } = await readAuditMark(database.reader, 'entries');
    expect(read).toEqual([String(position - 1)]);
    await runAudit();
    expect(read).toHaveLength(1);
  });

  it.each([
    [
      'an entry without postings',
      `DELETE FROM postings WHERE entry_id = (SELECT max(entry_id) FROM entries)`,
    ],
    ['other units of a transfer', `UPDATE transfers SET units = units + 1 WHERE trade_no = 'ord_2'`],
    ['a transfer of nobody', `DELETE FROM transfers WHERE trade_no = 'ord_2'`],
    [
      'a transfer that is not booked',
      `DELETE FROM entries WHERE entry_id = (SELECT max(entry_id) FROM entries)`,
    ],
    ['a collected sum changed', `UPDATE orders SET collected = collected + 1 WHERE trade_no = 'ord_2'`],
    ['a paid order made to time out', `UPDATE orders SET status = 'TIME-OUT' WHERE trade_no = 'ord_2'`],
    ['a final event that is gone', `DELETE FROM events WHERE trade_no = 'ord_2'`],
    ['a balance changed', `UPDATE accounts SET balance = balance + 1 WHERE kind = 'fee'`],
    ['a final block taken back', `UPDATE chain_cursors SET final_number = 0`],
  ])('finds %s, and says it once', async (_, sql) => {
    await pay();
    expect(await runAudit()).toEqual([]);
    await pay();
    await tamper(sql);
    const found = await runAudit();
    expect(found).not.toEqual([]);
    await runAudit();
    expect(errors).toHaveLength(found.length);
    expect((await auditAll(database.reader)).findings).not.toEqual([]);
  });

  it('audits each thirty seconds, and up to thirty seconds later while all chains are idle', async () => {
    const stop = new AbortController();
    const waits: unknown[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const rest: BookAudit['idle']['rest'] = async (chain, bounds) => {
      waits.push([chain, bounds]);
      if (waits.length === 4) stop.abort();
      return true;
    };
    await runBookAudit({ ...audit, world: { ...audit.world, sleep }, idle: { rest } }, lease, stop.signal);
    const rested = [null, { least: 0, most: 30_000 }];
    expect(waits).toEqual([30_000, rested, 30_000, rested]);
  });

  it('goes on from a full audit, which forgets what is right by now', async () => {
    await pay();
    await runAudit();
    await tamper(`UPDATE audited_balances SET units = units + 1`);
    await tamper(`UPDATE orders SET collected = collected + 1`);
    await pay();
    expect((await runAudit()).length).toBe(3);
    await tamper(`UPDATE orders SET collected = due WHERE collected > due`);
    const full = await auditAll(database.reader);
    expect(full.findings).toEqual([]);
    await database.transact((tx) => settleAudit(tx, { ...full, beganMs: 9_001, nowMs: 9_002 }));
    await pay();
    expect(await runAudit()).toEqual([]);
  });

  it('keeps what it finds while a full audit runs, which does not look there again', async () => {
    await pay();
    expect(await runAudit()).toEqual([]);
    const full = await auditAll(database.reader);
    await pay();
    await tamper(`UPDATE orders SET collected = collected + 1 WHERE trade_no = 'ord_2'`);
    const found = await runAudit();
    expect(found.length).toBe(1);
    await database.transact((tx) => settleAudit(tx, { ...full, beganMs: 8_000, nowMs: 9_000 }));
    expect(await findings()).toEqual(found);
  });

  it('leaves entries alone below which another may still appear', async () => {
    await pay();
    await runAudit();
    const { position } = await readAuditMark(database.reader, 'entries');
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const open = database.transact(async (tx) => {
      await tx.write(
        `INSERT INTO entries (fact, reference, at_ms) VALUES ('deposit', 'ETH/late/log:0', 0)`,
        [],
      );
      begin();
      await held;
    });
    await begun;
    await pay();
    for (let round = 0; round < 3; round++) await auditRound(audit, lease, 0);
    expect((await readAuditMark(database.reader, 'entries')).position).toBe(position);
    finish();
    await open;
    expect(await runAudit()).toEqual([
      'entry 2 has no postings',
      'transfer ETH/late/log:0 and its booking differ',
    ]);
  });
});
