// Which merchants an operator can delete, what goes with one, and what stays.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { insertMember } from '../../../db/tables/access/memberships.ts';
import { insertMerchant, updateSuspension } from '../../../db/tables/apps.ts';
import { suspendMerchant } from '../../../flows/merchants/suspend-merchant.ts';

let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'), { signUp: 'open' });
});
afterAll(() => shop.close());

const reason = 'nobody knows them';
const rows = async (sql: string) => shop.api.database.reader.read<Record<string, unknown>>(sql, []);

/** As a sign-up leaves it, with the finance person of the shop as its owner. */
async function signedUp(merchantId: string, isFromSignUp = true): Promise<void> {
  const { personId } = shop.finance;
  await shop.api.database.transact(async (tx) => {
    const merchant = { merchantId, name: `Shop ${merchantId}`, depositFeePpm: 300, createdAtMs: 0 };
    await insertMerchant(tx, { ...merchant, isFromSignUp });
    await insertMember(tx, { merchantId, personId, role: 'owner', sinceMs: 0 });
  });
}
const suspend = (merchantId: string, isSuspended = true) =>
  shop.api.database.transact((tx) => updateSuspension(tx, merchantId, isSuspended));
const remove = (merchantId: string, by = shop.operator) =>
  by.call('merchants.delete', { subject_merchant_id: merchantId, reason });

describe('a merchant that signed up and has done nothing', () => {
  it('goes with its memberships, invitations and waiting mails; people and the log stay', async () => {
    await signedUp('mer_gone');
    const invite = { merchant_id: 'mer_gone', email: 'ida@example.test', role: 'viewer' } as const;
    await shop.ask('team.invite', invite, shop.finance);
    await suspend('mer_gone');
    const entries = `SELECT operation FROM audit_log WHERE merchant_id = 'mer_gone' ORDER BY sequence`;
    expect(await rows(entries)).toEqual([{ operation: 'team.invite' }]);
    expect((await remove('mer_gone')).status).toBe(200);
    for (const table of ['merchants', 'memberships', 'invitations', 'mails'])
      expect(await rows(`SELECT 1 FROM ${table} WHERE merchant_id = 'mer_gone'`)).toEqual([]);
    expect(await rows(entries)).toEqual([{ operation: 'team.invite' }, { operation: 'merchants.delete' }]);
    const { entries: log } = await shop.ask('audit-log.list-all', {}, shop.operator);
    expect(log[0]).toMatchObject({ subject: 'mer_gone', detail: `Shop mer_gone: ${reason}` });
    const { person } = (await shop.finance.call('session.read', {})).body as { person: object };
    expect(person).toMatchObject({ memberships: [{ merchant_id: 'mer_1' }] });
    // Gone is gone, for the operator and for who was its owner.
    expect((await remove('mer_gone')).status).toBe(404);
    expect((await shop.finance.call('team.list', { merchant_id: 'mer_gone' })).status).toBe(404);
  });
});

// hits mark: only-an-empty-sign-up-is-deleted
describe('stays', () => {
  const refused = (message: string) => ({
    status: 409,
    body: { code: 'conflict', message: expect.stringContaining(message) },
  });

  it('a merchant that an operator has let begin, or has made', async () => {
    await signedUp('mer_begun');
    expect(await remove('mer_begun')).toMatchObject(refused('signed up and is suspended'));
    await signedUp('mer_made', false);
    await suspend('mer_made');
    expect(await remove('mer_made')).toMatchObject(refused('signed up and is suspended'));
  });

  it('a merchant with an app, and so with every order and all money', async () => {
    await signedUp('mer_app');
    const app = { merchant_id: 'mer_1', name: 'Till', kind: 'PAYMENT' } as const;
    const owner = await shop.ask('apps.create', app);
    await shop.api.database.transact((tx) =>
      tx.write(`UPDATE apps SET merchant_id = 'mer_app' WHERE app_id = $1`, [owner.app_id]),
    );
    await suspend('mer_app');
    expect(await remove('mer_app')).toMatchObject(refused('has an app'));
    expect(await rows(`SELECT merchant_id FROM memberships WHERE merchant_id = 'mer_app'`)).toHaveLength(1);
  });

  it('a merchant that is let begin at the same time', async () => {
    await signedUp('mer_late');
    await suspend('mer_late');
    let answered: ReturnType<typeof remove> = Promise.resolve({ status: 0, headers: {}, body: {} });
    await shop.api.database.transact(async (tx) => {
      await suspendMerchant(tx, 'mer_late', false);
      answered = remove('mer_late');
      await waitUntil('the call to wait for the merchant', async () => {
        const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await shop.api.database.reader.read(sql, [])).length === 1;
      });
    });
    expect(await answered).toMatchObject(refused('signed up and is suspended'));
  });

  it('every merchant, for who is no operator', async () => {
    await signedUp('mer_mine');
    await suspend('mer_mine');
    for (const by of [shop.owner, shop.finance]) expect((await remove('mer_mine', by)).status).toBe(403);
    expect(await rows(`SELECT 1 FROM merchants WHERE merchant_id = 'mer_mine'`)).toHaveLength(1);
  });
});
