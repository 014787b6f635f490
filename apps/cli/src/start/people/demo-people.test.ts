// Which demos get the two people: a new one and one of an earlier version, but not one that people have set up.
import { insertMember, listMembers } from '@ducat/gateway/db/tables/access/memberships';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { realWorld as world } from '@ducat/gateway/runtime/world';
import { signIn } from '@ducat/testkit/api/test-dashboard';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { DEMO_EMAIL, ensureDemoPeople } from './demo-people.ts';

const both = [
  ['demo@ducat.local', 'owner'],
  ['approver@ducat.local', 'finance'],
];
let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  const merchant = { merchantId: 'mer_1', name: 'Demo merchant', depositFeePpm: 0, createdAtMs: 1 };
  await database.transact((tx) => createMerchant(tx, merchant));
});
afterEach(() => database?.drop());

async function members() {
  const rows = await listMembers(database.reader, 'mer_1');
  return rows
    .map(({ email, role }) => [email, role])
    .toSorted((a, b) => String(b[0]).localeCompare(String(a[0])));
}

/** An owner who was there before. */
async function addOwner(email: string): Promise<void> {
  const who = { email, name: 'Ann', isOperator: true, passwordHash: 'none' };
  await signIn(database.transact, world, who, async (tx, personId) => {
    await insertMember(tx, { merchantId: 'mer_1', personId, role: 'owner', sinceMs: 1 });
  });
}

it('adds an owner and an approver, once', async () => {
  expect(await ensureDemoPeople({ database, world }, 'mer_1', 'demo-password')).toBe(true);
  expect(await ensureDemoPeople({ database, world }, 'mer_1', 'demo-password')).toBe(true);
  expect(await members()).toEqual(both);
});

it('adds the approver to a demo of an earlier version', async () => {
  await addOwner(DEMO_EMAIL);
  expect(await ensureDemoPeople({ database, world }, 'mer_1', 'demo-password')).toBe(true);
  expect(await members()).toEqual(both);
});

it('adds nobody where people have set the demo up', async () => {
  await addOwner('ann@example.test');
  expect(await ensureDemoPeople({ database, world }, 'mer_1', 'demo-password')).toBe(false);
  expect(await members()).toEqual([['ann@example.test', 'owner']]);
});
