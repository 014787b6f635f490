// Signing in as people and strangers meet it: passwords, codes, invitations, sessions, and what is refused.
import { Secret, TOTP } from 'otpauth';
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
    const accept = { token, name: 'Ada <b>\u202e', password: 'a long and winding road' };
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
        name: 'Ada <b>\u202e',
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
    expect((await signIn(dashboard.visitor(), known)).status).toBe(429);
    api.world.advance(15 * 60_000);
    expect((await signIn(dashboard.visitor(), known)).body).toEqual({ stage: 'enrolment-needed' });
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
