// What operators do with people: invite a further operator, take away lost second factors, end what a person may do.
import { Secret, TOTP } from 'otpauth';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { masterSecret, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import {
  startTestDashboard,
  TEST_PASSWORD,
  type TestDashboard,
  type TestPerson,
} from '@ducat/testkit/api/test-dashboard';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { listMemberships } from '../../../db/tables/access/memberships.ts';
import { lockOperators } from '../../../db/tables/access/people.ts';
import { joinInvitation } from '../../../flows/access/accept-invitation.ts';
import { createInvitation } from '../../../flows/access/create-invitation.ts';
import { removePerson } from '../../../flows/access/remove-person.ts';
import { createMailSealing } from '../../../keys/mail-sealing.ts';

let api: TestApi;
let dashboard: TestDashboard;
let operator: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(api);
  operator = await dashboard.addPerson({ isOperator: true });
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});

const reason = 'she lost her phone and called';

/** A person who signed in with a password, and set up an authenticator. */
async function enrolled(who: Parameters<TestDashboard['addPerson']>[0]) {
  const { email, personId } = await dashboard.addPerson(who);
  const browser = dashboard.visitor();
  const enrol = async () => {
    api.world.advance(30_000);
    await browser.call('session.sign-in', { email, password: TEST_PASSWORD });
    const secret = String((await browser.call('totp.begin', {})).body['secret']);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.world.nowMs() });
    return browser.call('totp.confirm', { code });
  };
  expect((await enrol()).status).toBe(200);
  return { email, personId, browser, enrol };
}

/** With a second factor that is fresh again. */
async function freshOperator(): Promise<TestPerson> {
  return dashboard.addPerson({ isOperator: true });
}

async function listed(personId: string) {
  const { people } = (await operator.call('people.list', { limit: 100 })).body as ResponseOf<'people.list'>;
  return people.find(({ person_id: id }) => id === personId);
}

async function logOf(subject: string) {
  return api.database.reader.read<{ operation: string; merchant_id: string | null; detail: string }>(
    'SELECT operation, merchant_id, detail FROM audit_log WHERE subject = $1 ORDER BY sequence',
    [subject],
  );
}

async function mailsTo(email: string) {
  const sealing = createMailSealing({ masterSecret, world: api.world });
  const rows = await api.database.reader.read<{ mail_id: string; kind: string; sealed: Buffer }>(
    'SELECT mail_id, kind, sealed FROM mails WHERE recipient = $1 ORDER BY mail_id',
    [email],
  );
  return rows.map(({ mail_id, kind, sealed }) => ({ kind, ...sealing.unseal(mail_id, sealed) }));
}

const tokenOf = (answer: { readonly body: Record<string, unknown> }) =>
  String(answer.body['invitation_url']).split('#')[1] ?? '';

it('a further operator opens an account by a link, which is mailed and stands in the log', async () => {
  const made = await operator.call('people.invite', { email: 'Olga@example.test' });
  expect(made).toMatchObject({ status: 200, body: { is_mailed: true } });
  const { invitations } = (await operator.call('people.list', {})).body as ResponseOf<'people.list'>;
  expect(invitations).toMatchObject([{ email: 'olga@example.test' }]);
  const id = invitations[0]?.invitation_id ?? '';
  expect(await logOf(id)).toEqual([
    { operation: 'people.invite', merchant_id: null, detail: 'operator Olga@example.test' },
  ]);
  const [mail] = await mailsTo('olga@example.test');
  expect(mail?.text).toContain(
    `You are invited to operate a payment gateway. ${operator.email} invites you.`,
  );
  const olga = dashboard.visitor();
  const accept = { token: tokenOf(made), name: 'Olga', password: 'a long and winding road' };
  expect((await olga.call('invitation.accept', accept)).body).toEqual({ stage: 'enrolment-needed' });
  // It has no rights before its second factor, and the link opens nothing a second time.
  expect((await olga.call('people.list', {})).status).toBe(401);
  expect((await dashboard.visitor().call('invitation.accept', accept)).status).toBe(404);
  const again = await operator.call('people.invite', { email: 'olga@example.test' });
  expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

it('an invitation is withdrawn by an operator, and a merchant withdraws none of them', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const link = tokenOf(await operator.call('people.invite', { email: 'ivan@example.test' }));
  const { invitations } = (await operator.call('people.list', {})).body as ResponseOf<'people.list'>;
  const ivan = invitations.find(({ email }) => email === 'ivan@example.test');
  const which = { invitation_id: ivan?.invitation_id ?? '' };
  const ofMerchant = { merchant_id: 'mer_1', ...which };
  expect((await owner.call('team.withdraw-invitation', ofMerchant)).status).toBe(404);
  const theirs = { merchant_id: 'mer_1', email: 'x@example.test', role: 'viewer' } as const;
  await owner.call('team.invite', theirs);
  const { body } = await owner.call('team.list', { merchant_id: 'mer_1' });
  const [invited] = (body as ResponseOf<'team.list'>).invitations;
  const foreign = { invitation_id: invited?.invitation_id ?? '' };
  expect((await operator.call('people.withdraw-invitation', foreign)).status).toBe(404);
  expect((await operator.call('people.withdraw-invitation', which)).status).toBe(200);
  expect((await operator.call('people.withdraw-invitation', which)).status).toBe(404);
  expect((await dashboard.visitor().call('invitation.read', { token: link })).status).toBe(404);
});

it('lost second factors are taken away once, with a mail, a reason in the log, and every session ended', async () => {
  const ada = await enrolled({ role: 'owner' });
  const ask = { person_id: ada.personId, reason };
  const fresh = await freshOperator();
  expect(await listed(ada.personId)).toMatchObject({ has_authenticator: true, passkeys: 0 });
  const both = await Promise.all([fresh.call('people.reset', ask), fresh.call('people.reset', ask)]);
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
  expect((await ada.browser.call('sessions.list', {})).status).toBe(401);
  expect(await listed(ada.personId)).toMatchObject({ has_authenticator: false });
  expect((await logOf(ada.personId)).filter(({ operation }) => operation === 'people.reset')).toEqual([
    { operation: 'people.reset', merchant_id: null, detail: reason },
  ]);
  const mails = (await mailsTo(ada.email)).filter(({ kind }) => kind === 'sign-in-reset');
  expect(mails).toHaveLength(1);
  // The password opens nothing but the set-up of a new second factor.
  expect((await ada.enrol()).status).toBe(200);
});

it('nobody does it to himself, to no one, or with a second factor that is stale', async () => {
  const ada = await enrolled({ role: 'viewer' });
  const fresh = await freshOperator();
  const himself = { person_id: fresh.personId, reason };
  expect((await fresh.call('people.reset', himself)).status).toBe(409);
  expect((await fresh.call('people.remove', himself)).status).toBe(409);
  const noOne = { person_id: 'per_none', reason };
  expect((await fresh.call('people.reset', noOne)).status).toBe(404);
  expect((await fresh.call('people.remove', noOne)).status).toBe(404);
  api.world.advance(5 * 60_000);
  const late = await fresh.call('people.reset', { person_id: ada.personId, reason });
  expect(late.body['code']).toBe('step-up-needed');
  expect(await listed(ada.personId)).toMatchObject({ has_authenticator: true });
});

it('a person who left may do nothing, and each merchant reads why; the only owner of one stays', async () => {
  const fresh = await freshOperator();
  const left = await dashboard.addPerson({ role: 'finance', isOperator: true });
  const ask = { person_id: left.personId, reason };
  expect((await fresh.call('people.remove', ask)).status).toBe(200);
  expect((await left.call('sessions.list', {})).status).toBe(401);
  expect(await listed(left.personId)).toMatchObject({ is_operator: false, memberships: [] });
  expect(await logOf(left.personId)).toEqual([
    { operation: 'people.remove', merchant_id: 'mer_1', detail: reason },
    { operation: 'people.remove', merchant_id: null, detail: reason },
  ]);
  await api.database.transact((tx) =>
    tx.write("INSERT INTO merchants VALUES ('mer_only', 'Only', 300, 0)", []),
  );
  const only = await dashboard.addPerson({ role: 'owner', merchantId: 'mer_only' });
  const refused = await fresh.call('people.remove', { person_id: only.personId, reason });
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('mer_only') } });
  expect((await only.call('team.list', { merchant_id: 'mer_only' })).status).toBe(200);
});

it('a person who signed up is removed while the merchant is suspended', async () => {
  const fresh = await freshOperator();
  const change = (sql: string) => api.database.transact((tx) => tx.write(sql, []));
  await change(`INSERT INTO merchants (merchant_id, name, deposit_fee_ppm, created_at_ms, from_sign_up)
    VALUES ('mer_stranger', 'Strange', 300, 0, true)`);
  const owner = await dashboard.addPerson({ role: 'owner', merchantId: 'mer_stranger' });
  const remove = () => fresh.call('people.remove', { person_id: owner.personId, reason });
  expect((await remove()).status).toBe(409);
  await change("UPDATE merchants SET suspended = true WHERE merchant_id = 'mer_stranger'");
  expect((await remove()).status).toBe(200);
  expect((await owner.call('sessions.list', {})).status).toBe(401);
  expect(await listed(owner.personId)).toMatchObject({ memberships: [] });
});

// hits mark: operators-one-at-a-time
it('two operators who remove each other at once leave one, and no invitation of the other', async () => {
  const [one, other] = [await freshOperator(), await freshOperator()];
  const links = await Promise.all(
    [one, other].map((each) => each.call('people.invite', { email: `of.${each.email}` })),
  );
  const removed = await Promise.all([
    one.call('people.remove', { person_id: other.personId, reason }),
    other.call('people.remove', { person_id: one.personId, reason }),
  ]);
  const statuses = removed.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  const winner = statuses.indexOf(200);
  const operators = await api.database.transact(lockOperators);
  expect([one, other].map(({ personId }) => operators.includes(personId))).toEqual([
    winner === 0,
    winner === 1,
  ]);
  const reads = await Promise.all(
    links.map((link) => dashboard.visitor().call('invitation.read', { token: tokenOf(link) })),
  );
  expect(reads.map(({ status }) => status)).toEqual(winner === 0 ? [200, 404] : [404, 200]);
});

it('a person who was removed comes back by a new invitation, and has nothing of before', async () => {
  const [one, back] = [await freshOperator(), await freshOperator()];
  await one.call('people.remove', { person_id: back.personId, reason });
  const token = tokenOf(await one.call('people.invite', { email: back.email }));
  const visitor = dashboard.visitor();
  expect((await visitor.call('invitation.read', { token })).body).toMatchObject({ has_account: false });
  const account = { token, name: 'Back', password: 'a long and winding road' };
  expect((await visitor.call('invitation.accept', account)).body).toEqual({ stage: 'enrolment-needed' });
  expect(await listed(back.personId)).toMatchObject({
    name: 'Back',
    is_operator: true,
    has_authenticator: false,
    memberships: [],
  });
});

it('a person who is removed while joining a merchant is no member of it', async () => {
  const leaving = await freshOperator();
  const tokenHash = Buffer.from('joins while leaving');
  const invited = {
    invitationId: 'inv_leaving',
    email: leaving.email,
    merchantId: 'mer_1',
    role: 'admin',
  } as const;
  await api.database.transact(async (tx) => {
    await createInvitation(tx, { ...invited, tokenHash, invitedBy: null, createdAtMs: api.world.nowMs() });
  });
  const { personId, email } = leaving;
  const person = { personId, email, name: 'Leaving', isOperator: true };
  let removal: Promise<unknown> = Promise.resolve();
  await api.database.transact(async (tx) => {
    const { outcome } = await joinInvitation(tx, { tokenHash, person, nowMs: api.world.nowMs() });
    expect(outcome).toBe('accepted');
    removal = api.database.transact((other) => removePerson(other, personId));
    await waitUntil('the removal to wait for the member', async () => {
      const waiting = await api.database.reader.read(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        [],
      );
      return waiting.length === 1;
    });
  });
  await removal;
  expect(await listMemberships(api.database.reader, personId)).toEqual([]);
});

it('an operator who is removed by the command leaves no invitation behind', async () => {
  const gone = await freshOperator();
  const link = tokenOf(await gone.call('people.invite', { email: 'back@example.test' }));
  await api.database.transact((tx) => removePerson(tx, gone.personId));
  expect((await dashboard.visitor().call('invitation.read', { token: link })).status).toBe(404);
});
