// A new password is set while a sign-in with the old one is under way: the sign-in fails if it is the slower one.
import { takeMails } from '@ducat/testkit/api/take-mails';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import {
  startTestDashboard,
  TEST_PASSWORD,
  type TestDashboard,
  type TestPerson,
} from '@ducat/testkit/api/test-dashboard';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import type { DashboardDeps } from '../port.ts';

const OWN = 'a long and winding road';

let api: TestApi;
let dashboard: TestDashboard;
let before: Pick<DashboardDeps, 'passwords' | 'transact'>;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(api);
  const { passwords, transact } = dashboard.deps;
  before = { passwords, transact };
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});
afterEach(() => void Object.assign(dashboard.deps, before));

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.world.nowMs() });

/** The owner opens the link of a mail. */
async function setAnew({ email }: TestPerson): Promise<void> {
  await dashboard.visitor().call('password-link.begin', { email });
  const mail = (await takeMails(api)).find(({ kind }) => kind === 'password-link');
  const token = /\/new-password#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const done = await dashboard.visitor().call('password-link.accept', { token, password: OWN });
  expect(done.status).toBe(200);
}

/** Between the look at a password and what it opens. */
function onceLookedAt(meanwhile: () => Promise<void>): void {
  const { passwords } = before;
  const fits: typeof passwords.fits = async (...asked) => {
    const isRight = await passwords.fits(...asked);
    Object.assign(dashboard.deps, before);
    await meanwhile();
    return isRight;
  };
  Object.assign(dashboard.deps, { passwords: { ...passwords, fits } });
}

/** Between the look at the session and the transaction that goes on from it. */
function beforeItsTransaction(meanwhile: () => Promise<void>): void {
  const transact: typeof before.transact = async (flow, shape) => {
    Object.assign(dashboard.deps, before);
    await meanwhile();
    return before.transact(flow, shape);
  };
  Object.assign(dashboard.deps, { transact });
}

const sessionsOf = ({ personId }: TestPerson) =>
  api.database.reader.read<{ stage: string }>('SELECT stage FROM dashboard_sessions WHERE person_id = $1', [
    personId,
  ]);

// hits mark: an-old-password-opens-nothing
it('a sign-in with the old password opens no session', async () => {
  const person = await dashboard.addPerson({ role: 'viewer' });
  onceLookedAt(() => setAnew(person));
  const thief = dashboard.visitor();
  const signedIn = await thief.call('session.sign-in', { email: person.email, password: TEST_PASSWORD });
  expect(signedIn.body['code']).toBe('sign-in-failed');
  expect((await thief.call('totp.begin', {})).status).toBe(401);
  expect(await sessionsOf(person)).toEqual([{ stage: 'enrolment-needed' }]);
});

it('a change by the old password does not take the new one away', async () => {
  const person = await dashboard.addPerson({ role: 'viewer' });
  onceLookedAt(() => setAnew(person));
  const change = { password: TEST_PASSWORD, new_password: 'the road of a thief' };
  expect((await person.call('password.change', change)).status).toBe(401);
  const signIn = (password: string) =>
    dashboard.visitor().call('session.sign-in', { email: person.email, password });
  expect([(await signIn(OWN)).status, (await signIn('the road of a thief')).status]).toEqual([200, 400]);
});

it('a session that has ended gets no new recovery codes', async () => {
  const person = await dashboard.addPerson({ role: 'owner' });
  const secret = String((await person.call('totp.begin', {})).body['secret']);
  await person.call('totp.confirm', { code: codeOf(secret) });
  const hashes = () =>
    api.database.reader.read('SELECT code_hash FROM recovery_codes WHERE person_id = $1 ORDER BY code_hash', [
      person.personId,
    ]);
  const own = await hashes();
  beforeItsTransaction(() => setAnew(person));
  expect((await person.call('recovery-codes.renew', {})).status).toBe(401);
  expect(await hashes()).toEqual(own);
});

// hits mark: an-ended-session-goes-nowhere
it('a second factor leads nowhere from a session that has ended', async () => {
  const person = await dashboard.addPerson({ role: 'owner' });
  const secret = String((await person.call('totp.begin', {})).body['secret']);
  const { body } = await person.call('totp.confirm', { code: codeOf(secret) });
  const [recoveryCode = ''] = body['recovery_codes'] as string[];
  const shown = [
    ['session.enter-recovery-code', { recovery_code: recoveryCode }],
    ['session.enter-code', () => ({ code: codeOf(secret) })],
  ] as const;
  let password = TEST_PASSWORD;
  for (const [operation, request] of shown) {
    api.world.advance(30_000);
    const thief = dashboard.visitor();
    await thief.call('session.sign-in', { email: person.email, password });
    beforeItsTransaction(() => setAnew(person));
    const wish = typeof request === 'function' ? request() : request;
    expect((await thief.call(operation, wish)).body['code']).toBe('signed-out');
    expect((await thief.call('sessions.list', {})).status).toBe(401);
    expect(await sessionsOf(person)).toEqual([{ stage: 'code-needed' }]);
    password = OWN;
  }
});
