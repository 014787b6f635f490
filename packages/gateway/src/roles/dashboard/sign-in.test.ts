// Signing in as people and strangers meet it: passwords, codes, invitations, sessions, and what is refused.
import { Secret, TOTP } from 'otpauth';
import { insertMember } from '../../db/tables/access/memberships.ts';
import { createMerchant } from '../../flows/merchants/create-merchant.ts';
import { inviteMember } from '../../flows/access/invite-member.ts';
import { removePerson } from '../../flows/access/remove-person.ts';
import { createDashboard } from './dashboard-app.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import {
  startTestDashboard,
  TEST_PASSWORD,
  type TestDashboard,
  type TestPerson,
} from '@ducat/testkit/api/test-dashboard';

let api: TestApi;
let dashboard: TestDashboard;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(api);
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});

/** What an authenticator shows now. */
function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.world.nowMs() });
}

async function enrol(person: TestPerson): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await person.call('totp.begin', {});
  const secret = String(begun.body['secret']);
  const done = await person.call('totp.confirm', { code: codeOf(secret) });
  expect(done).toMatchObject({ status: 200, body: { stage: 'signed-in' } });
  api.world.advance(30_000);
  return { secret, recoveryCodes: done.body['recovery_codes'] as string[] };
}

const signIn = (browser: TestPerson, { email }: TestPerson, password = TEST_PASSWORD) =>
  browser.call('session.sign-in', { email: email.toUpperCase(), password });

describe('signing in', () => {
  it('needs an invitation, a password and an authenticator, and each code works once', async () => {
    const owner = await dashboard.addPerson({ role: 'owner' });
    const invited = await owner.call('team.invite', {
      merchant_id: 'mer_1',
      email: 'Ada@Example.test',
      role: 'finance',
    });
    const token = String(invited.body['invitation_url']).split('#')[1] ?? '';
    const ada = dashboard.visitor();
    expect((await ada.call('invitation.read', { token })).body).toMatchObject({
      email: 'ada@example.test',
      merchant_name: 'Shop',
      role: 'finance',
      has_account: false,
    });
    const accept = { token, name: 'Ada <b>', password: 'a long and winding road' };
    const turned = { ...accept, name: 'Ada\u202e' };
    expect((await ada.call('invitation.accept', turned)).body).toMatchObject({ field: 'name' });
    const common = { ...accept, password: '1qaz2wsx3edc' };
    expect((await ada.call('invitation.accept', common)).body).toMatchObject({
      field: 'password',
      message: 'password is one of the most common passwords',
    });
    expect(await ada.call('invitation.accept', accept)).toMatchObject({
      body: { stage: 'enrolment-needed' },
    });
    expect((await ada.call('invitation.accept', accept)).status).toBe(404);
    expect((await ada.call('team.list', { merchant_id: 'mer_1' })).status).toBe(401);
    const { secret } = await enrol(ada);
    const { body } = await ada.call('session.read', {});
    expect(body).toMatchObject({
      stage: 'signed-in',
      person: {
        name: 'Ada <b>',
        recovery_codes_left: 10,
        memberships: [{ merchant_id: 'mer_1', role: 'finance' }],
      },
    });

    const again = dashboard.visitor();
    const email = { email: 'ada@example.test' } as TestPerson;
    expect((await signIn(again, email, accept.password)).body).toEqual({ stage: 'code-needed' });
    expect((await again.call('sessions.list', {})).status).toBe(401);
    const code = codeOf(secret);
    expect(await again.call('session.enter-code', { code })).toMatchObject({ status: 200 });
    // Reused at once, and guessed until the codes are locked, which another sign-in does not end.
    const thief = dashboard.visitor();
    await signIn(thief, email, accept.password);
    expect((await thief.call('session.enter-code', { code })).body).toMatchObject({
      code: 'field-invalid',
      field: 'code',
    });
    for (let guess = 0; guess < 4; guess++) await thief.call('session.enter-code', { code: '000000' });
    await signIn(thief, email, accept.password);
    api.world.advance(30_000);
    expect((await thief.call('session.enter-code', { code: codeOf(secret) })).status).toBe(429);
    expect((await again.call('session.step-up', { code: codeOf(secret) })).status).toBe(429);
  });

  it('counts wrong passwords by account, alike for one that does not exist', async () => {
    const known = await dashboard.addPerson({ role: 'viewer' });
    const strangers = [known, { email: 'nobody@example.test' } as TestPerson];
    const answers = strangers.map(async (person) => {
      const guesses = Array.from({ length: 12 }, () => signIn(dashboard.visitor(), person, 'wrong'));
      return (await Promise.all(guesses))
        .map(({ status, body }) => `${status} ${String(body['code'])}`)
        .sort();
    });
    const [ofKnown, ofUnknown] = await Promise.all(answers);
    // hits mark: attempts-are-counted-first
    expect(ofKnown?.filter((answer) => answer === '429 too-many')).toHaveLength(2);
    expect(ofUnknown).toEqual(ofKnown);
    // hits mark: strangers-write-no-audit-log
    // Nobody may shorten the audit log, so what strangers type does not get into it.
    const entries = await api.database.reader.read<{ readonly subject: string }>(
      `SELECT subject FROM audit_log WHERE detail = 'wrong password'`,
      [],
    );
    expect(entries.map(({ subject }) => subject)).toEqual(Array(10).fill(known.personId));
    expect((await signIn(dashboard.visitor(), known)).status).toBe(429);
    api.world.advance(15 * 60_000);
    expect((await signIn(dashboard.visitor(), known)).body).toEqual({ stage: 'enrolment-needed' });
  });

  it('counts the guesses of one network together, however many addresses it has', async () => {
    const limits = { ...dashboard.deps.limits, attempts: { perSecond: 1, burst: 2 } };
    const strict = createDashboard({ ...dashboard.deps, limits });
    const guess = async (remoteAddress: string) => {
      const headers = { origin: dashboard.deps.url, 'content-type': 'application/json' };
      const url = '/api/session.sign-in';
      return (await strict.inject({ method: 'POST', url, payload: '{}', headers, remoteAddress })).statusCode;
    };
    const statuses: number[] = [];
    for (let site = 1; site <= 9; site++) statuses.push(await guess(`2001:db8:7:${site}::1`));
    expect(statuses.lastIndexOf(400)).toBe(7);
    expect(statuses.at(-1)).toBe(429);
    expect(await guess('2001:db8:8:1::1')).toBe(400);
    await strict.close();
  });

  it.each([
    ['no origin', { origin: '' }],
    ['another origin', { origin: 'https://evil.test' }],
    ['a form', { 'content-type': 'text/plain' }],
    ['another site by its own word', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses a request with our cookie from %s', async (_what, headers) => {
    const owner = await dashboard.addPerson({ role: 'owner' });
    // hits mark: dashboard-origin
    expect((await owner.send('sessions.revoke-others', {}, headers)).status).toBeGreaterThanOrEqual(400);
    expect((await owner.call('session.read', {})).body).toMatchObject({ stage: 'signed-in' });
  });
});

describe('a session', () => {
  it('ends where it is revoked, unused for an hour, and with the password', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const other = dashboard.visitor();
    await signIn(other, person);
    const opened = await enrol(other);
    const { headers } = await other.call('session.step-up', { code: codeOf(opened.secret) });
    expect(headers['set-cookie']).toBeUndefined();
    // The authenticator was new: everything before it is signed out, and the other browser is the only one left.
    expect((await person.call('sessions.list', {})).status).toBe(401);
    await other.call('session.sign-out', {});
    api.world.advance(30_000);
    const [a, b] = [dashboard.visitor(), dashboard.visitor()];
    const signed = await signIn(a, person);
    const [ofSession, ofDevice] = signed.headers['set-cookie'] as string[];
    expect(ofDevice).toMatch(
      /^__Host-ducat-device=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(ofSession).toMatch(
      /^__Host-ducat=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
    await a.call('session.enter-code', { code: codeOf(opened.secret) });
    await signIn(b, person);
    const [recoveryCode = ''] = opened.recoveryCodes;
    const enter = { recovery_code: recoveryCode.toUpperCase().replaceAll('-', ' ') };
    expect((await b.call('session.enter-recovery-code', enter)).body).toEqual({ stage: 'signed-in' });
    const listed = (await b.call('sessions.list', {})).body['sessions'] as {
      session_id: string;
      is_current: boolean;
    }[];
    const [ofA] = listed.filter(({ is_current: isCurrent }) => !isCurrent);
    expect(listed).toHaveLength(2);
    expect((await b.call('sessions.revoke', { session_id: ofA?.session_id ?? '' })).status).toBe(200);
    expect((await a.call('sessions.list', {})).status).toBe(401);
    // Another one's session is none.
    expect((await b.call('sessions.revoke', { session_id: person.sessionId })).status).toBe(404);

    await signIn(a, person);
    expect((await a.call('session.enter-recovery-code', enter)).body).toMatchObject({
      field: 'recovery_code',
    });
    api.world.advance(30_000);
    await a.call('session.enter-code', { code: codeOf(opened.secret) });
    const change = { password: TEST_PASSWORD, new_password: 'another horse, other battery' };
    expect((await a.call('password.change', { ...change, password: 'wrong' })).body['code']).toBe(
      'sign-in-failed',
    );
    for (const refused of ['my ducat and I', '1qaz2wsx3edc'])
      expect((await a.call('password.change', { ...change, new_password: refused })).body['field']).toBe(
        'new_password',
      );
    expect((await a.call('password.change', change)).status).toBe(200);
    expect((await b.call('sessions.list', {})).status).toBe(401);
    api.world.advance(60 * 60_000);
    expect((await a.call('session.read', {})).body).toMatchObject({ stage: 'signed-out' });
  });
});

describe('a team', () => {
  it('keeps one owner, sees a rank that was changed meanwhile, and lets an owner alone make admins', async () => {
    const [owner, admin] = [
      await dashboard.addPerson({ role: 'owner' }),
      await dashboard.addPerson({ role: 'admin' }),
    ];
    const team = { merchant_id: 'mer_1' };
    const { body } = await owner.call('team.list', team);
    for (const { person_id: personId, role } of body['members'] as { person_id: string; role: string }[])
      if (role === 'owner' && personId !== owner.personId)
        await owner.call('team.remove', { ...team, person_id: personId });
    const set = (
      by: TestPerson,
      of: TestPerson,
      before: 'owner' | 'admin' | 'viewer',
      role: 'owner' | 'admin' | 'viewer',
    ) => by.call('team.change-role', { ...team, person_id: of.personId, role_before: before, role });
    expect((await set(owner, owner, 'owner', 'viewer')).body['code']).toBe('conflict');
    expect((await set(admin, owner, 'owner', 'viewer')).body['code']).toBe('not-permitted');
    expect((await set(owner, admin, 'viewer', 'owner')).body['code']).toBe('changed');
    expect((await admin.call('team.invite', { ...team, email: 'b@b.test', role: 'admin' })).status).toBe(403);
    // What an admin invited is void once the admin is none.
    const invited = await admin.call('team.invite', { ...team, email: 'b@b.test', role: 'viewer' });
    expect((await set(owner, admin, 'admin', 'viewer')).status).toBe(200);
    const token = String(invited.body['invitation_url']).split('#')[1] ?? '';
    expect((await dashboard.visitor().call('invitation.read', { token })).status).toBe(404);
    expect((await admin.call('team.invite', { ...team, email: 'b@b.test', role: 'viewer' })).status).toBe(
      403,
    );
    // What was sent to a member does not lead back in once the member is removed.
    const again = await owner.call('team.invite', { ...team, email: admin.email, role: 'viewer' });
    await owner.call('team.remove', { ...team, person_id: admin.personId });
    const link = String(again.body['invitation_url']).split('#')[1] ?? '';
    expect((await admin.call('invitation.join', { token: link })).status).toBe(404);
    // A rank that was read before its owner was removed gives nothing.
    const late = { invitationId: 'inv_late', tokenHash: Buffer.of(1), email: 'b@b.test', createdAtMs: 0 };
    const invitation = { ...late, merchantId: 'mer_1', role: 'viewer', invitedBy: admin.personId } as const;
    expect(await api.database.transact((tx) => inviteMember(tx, invitation))).toBeNull();
  });
});

it('removes a person from everything, unless a merchant would have no owner', async () => {
  const [only, left] = [
    await dashboard.addPerson({}),
    await dashboard.addPerson({ role: 'admin', isOperator: true }),
  ];
  await api.database.transact(async (tx) => {
    await createMerchant(tx, { merchantId: 'mer_own', name: 'Own', depositFeePpm: 0, createdAtMs: 0 });
    await insertMember(tx, { merchantId: 'mer_own', personId: only.personId, role: 'owner', sinceMs: 0 });
  });
  const remove = ({ personId }: TestPerson) => api.database.transact((tx) => removePerson(tx, personId));
  expect(await remove(only)).toEqual(['mer_own']);
  expect((await only.call('team.list', { merchant_id: 'mer_own' })).status).toBe(200);
  expect(await remove(left)).toEqual([]);
  expect((await left.call('sessions.list', {})).status).toBe(401);
  expect((await signIn(dashboard.visitor(), left)).body['code']).toBe('sign-in-failed');
});

it('serves a page for every address of its own, under a policy, and no file that is not its own', async () => {
  const get = (url: string) => dashboard.app.inject({ url });
  for (const url of ['/', '/orders?state=late', '//']) {
    const page = await get(url);
    expect(`${url} ${page.statusCode} ${String(page.headers['content-type'])}`).toBe(
      `${url} 200 text/html; charset=utf-8`,
    );
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  }
  for (const url of ['/assets/none.js', '/..%2f..%2fpackage.json', '/api/session.read', '/api/none'])
    expect(`${url} ${(await get(url)).statusCode}`).toBe(`${url} 404`);
});

describe('the audit log', () => {
  it('has what was done, and shows what was altered behind its back', async () => {
    const operator = await dashboard.addPerson({ isOperator: true });
    const { body } = await operator.call('audit-log.list-all', {});
    const done = (body['entries'] as { operation: string; detail: string }[]).map((entry) => entry.operation);
    for (const operation of ['session.sign-in', 'password.change', 'team.change-role', 'totp.confirm'])
      expect(done).toContain(operation);
    expect((await operator.call('audit-log.verify', {})).body).toMatchObject({
      is_whole: true,
      broken_at: null,
    });
    const alter = (sql: string) => api.database.transact((tx) => tx.write(sql, []));
    await expect(alter("UPDATE audit_log SET detail = 'x' WHERE sequence = 3")).rejects.toThrow(
      'append-only',
    );
    await alter('ALTER TABLE audit_log DISABLE TRIGGER append_only');
    await alter("UPDATE audit_log SET detail = 'x' WHERE sequence = 3");
    expect((await operator.call('audit-log.verify', {})).body).toMatchObject({
      is_whole: false,
      broken_at: 3,
    });
  });
});
