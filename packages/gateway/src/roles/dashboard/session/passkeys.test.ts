// Passkeys: added, shown at signing in and for a step-up, refused wherever anything does not fit, and never the last one gone.
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { createSoftPasskey, type SoftPasskey } from '@ducat/testkit/api/soft-passkey';
import {
  startTestDashboard,
  TEST_PASSWORD,
  type TestDashboard,
  type TestPerson,
} from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readCredentials, updatePendingSecret } from '../../../db/tables/access/credentials.ts';
import { countPasskeys } from '../../../db/tables/access/passkeys.ts';
import { adoptAuthenticator } from '../../../flows/access/adopt-authenticator.ts';
import { addPasskey } from '../../../flows/access/passkeys/add-passkey.ts';
import { resetAuthenticator } from '../../../flows/access/reset-authenticator.ts';

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

const softPasskey = () => createSoftPasskey(dashboard.deps.url);

async function challengeOf(person: TestPerson, name: 'passkeys.begin-adding' | 'passkeys.begin-showing') {
  return String((await person.call(name, {})).body['challenge']);
}

async function add(person: TestPerson, passkey: SoftPasskey, wrong = {}) {
  const challenge = await challengeOf(person, 'passkeys.begin-adding');
  return person.call('passkeys.add', { name: 'Phone', ...passkey.create(challenge, wrong) });
}

async function withPassword({ email }: TestPerson): Promise<TestPerson> {
  const browser = dashboard.visitor();
  await browser.call('session.sign-in', { email, password: TEST_PASSWORD });
  return browser;
}

async function enter(browser: TestPerson, passkey: SoftPasskey, wrong = {}) {
  const challenge = await challengeOf(browser, 'passkeys.begin-showing');
  return browser.call('session.enter-passkey', { assertion: passkey.assert(challenge, wrong) });
}

/** A person whose only second factor is a passkey. */
async function enrolled() {
  const person = await dashboard.addPerson({ role: 'viewer' });
  const passkey = softPasskey();
  const browser = await withPassword(person);
  const { body } = await add(browser, passkey);
  return { person, passkey, browser, recoveryCodes: body['recovery_codes'] as string[] };
}

it('is the second factor of a new account, signs in, and stands for a code where one is asked for', async () => {
  const { person, passkey, browser, recoveryCodes } = await enrolled();
  expect(recoveryCodes).toHaveLength(10);
  // Sessions that a password alone had opened are over, and the next one needs the passkey.
  expect((await person.call('sessions.list', {})).status).toBe(401);
  expect((await browser.call('session.read', {})).body).toMatchObject({ stage: 'signed-in' });
  const next = await withPassword(person);
  expect((await next.call('session.read', {})).body).toMatchObject({
    stage: 'code-needed',
    factors: { has_authenticator: false, passkeys: 1 },
  });
  expect((await next.call('passkeys.list', {})).status).toBe(401);
  expect((await next.call('passkeys.begin-adding', {})).status).toBe(401);
  expect(await enter(next, passkey)).toMatchObject({ status: 200, body: { stage: 'signed-in' } });
  expect((await next.call('passkeys.list', {})).body).toMatchObject({
    passkeys: [{ name: 'Phone', used_at: Math.floor(api.world.nowMs() / 1000) }],
  });

  api.world.advance(5 * 60_000);
  expect((await next.call('recovery-codes.renew', {})).body['code']).toBe('step-up-needed');
  expect((await next.call('totp.begin', {})).body['code']).toBe('step-up-needed');
  expect((await next.call('session.step-up', { password: TEST_PASSWORD })).status).toBe(400);
  const assertion = passkey.assert(await challengeOf(next, 'passkeys.begin-showing'));
  expect((await next.call('session.step-up', { assertion })).status).toBe(200);
  expect((await next.call('recovery-codes.renew', {})).status).toBe(200);
});

it('refuses what was signed for another origin, host, challenge or purpose, without the person, or by another passkey', async () => {
  const { person, passkey } = await enrolled();
  const browser = await withPassword(person);
  const refused = async (shown: Promise<{ readonly status: number }>) =>
    expect((await shown).status).toBe(400);
  await refused(enter(browser, passkey, { origin: 'https://dashboard.test.evil.example' }));
  await refused(enter(browser, passkey, { rpId: 'evil.example' }));
  await refused(enter(browser, passkey, { isUnverified: true }));
  await refused(enter(browser, passkey, { type: 'webauthn.create' }));
  await refused(enter(browser, softPasskey()));
  const other = await enrolled();
  await refused(enter(browser, other.passkey));
  // Of another session of the same person, and of this one after its time or its first use.
  const elsewhere = await withPassword(person);
  const theirs = await challengeOf(elsewhere, 'passkeys.begin-showing');
  await challengeOf(browser, 'passkeys.begin-showing');
  await refused(browser.call('session.enter-passkey', { assertion: passkey.assert(theirs) }));
  const own = await challengeOf(browser, 'passkeys.begin-showing');
  await refused(
    browser.call('session.enter-passkey', { assertion: passkey.assert(own, { isUnverified: true }) }),
  );
  // hits mark: a-challenge-is-used-once
  await refused(browser.call('session.enter-passkey', { assertion: passkey.assert(own) }));
  const late = await challengeOf(browser, 'passkeys.begin-showing');
  api.world.advance(5 * 60_000);
  await refused(browser.call('session.enter-passkey', { assertion: passkey.assert(late) }));
  const toAdd = await challengeOf(other.browser, 'passkeys.begin-adding');
  await refused(other.browser.call('session.step-up', { assertion: other.passkey.assert(toAdd) }));
});

it('refuses a passkey whose count goes back, as that of a copy does', async () => {
  const { person, passkey } = await enrolled();
  const counted = async (counter: number) =>
    (await enter(await withPassword(person), passkey, { counter })).status;
  expect([await counted(7), await counted(7), await counted(3), await counted(0), await counted(8)]).toEqual([
    200, 400, 400, 400, 200,
  ]);
});

it('takes what fits its challenge and belongs to no one, twenty at most, and keeps the last', async () => {
  const { person, browser, passkey } = await enrolled();
  for (const wrong of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isUnverified: true }])
    expect((await add(browser, softPasskey(), wrong)).status).toBe(400);
  expect((await add(browser, passkey)).body['code']).toBe('conflict');
  const thief = await dashboard.addPerson({ role: 'viewer' });
  expect((await add(thief, passkey)).body['code']).toBe('conflict');

  const last = { passkey_id: passkey.passkeyId };
  // hits mark: one-second-factor-remains
  expect((await browser.call('passkeys.remove', last)).body['code']).toBe('conflict');
  const second = softPasskey();
  expect((await add(browser, second)).body['recovery_codes']).toEqual([]);
  expect((await thief.call('passkeys.remove', last)).status).toBe(404);
  expect((await thief.call('passkeys.rename', { ...last, name: 'x' })).status).toBe(404);
  expect((await browser.call('passkeys.rename', { ...last, name: 'Old <b>' })).status).toBe(200);
  const elsewhere = await withPassword(person);
  expect((await enter(elsewhere, passkey)).status).toBe(200);
  expect((await browser.call('passkeys.remove', last)).status).toBe(200);
  // A lost device may have opened it by the passkey that is gone.
  expect((await elsewhere.call('passkeys.list', {})).status).toBe(401);
  expect((await browser.call('passkeys.list', {})).body['passkeys']).toMatchObject([{ name: 'Phone' }]);
  for (let more = 0; more < 19; more++) expect((await add(browser, softPasskey())).status).toBe(200);
  expect((await add(browser, softPasskey())).body['code']).toBe('conflict');
});

it('lets no authenticator be the first factor where a passkey became it meanwhile', async () => {
  const { personId, sessionId } = await dashboard.addPerson({ role: 'viewer' });
  const nowMs = api.world.nowMs();
  const { transact, reader } = api.database;
  const sealed = Buffer.from('begun with the password alone');
  await transact((tx) => updatePendingSecret(tx, personId, sealed));
  const key = { passkeyId: 'meanwhile', publicKey: Buffer.alloc(1), counter: 0, transports: [] };
  const passkey = { ...key, personId, name: 'Phone', createdAtMs: nowMs };
  const first = { sessionId, isFirst: true, recoveryHashes: [] };
  await transact((tx) => addPasskey(tx, { passkey, ...first }));
  expect(await readCredentials(reader, personId)).toMatchObject({ totpPending: null });
  // Begun before the passkey, written after it.
  await transact((tx) => updatePendingSecret(tx, personId, sealed));
  const shown = { personId, step: 1, sealed, nowMs, recoveryHashes: [] };
  const adopt = (isFirst: boolean) =>
    transact((tx) => adoptAuthenticator(tx, { ...shown, sessionId, isFirst }));
  expect(await adopt(true)).toBe('changed');
  expect(await readCredentials(reader, personId)).toMatchObject({ totpSecret: null });
  expect(await adopt(false)).toMatchObject({ ok: true });
});

it('stays gone after a reset, also where a second factor was on its way', async () => {
  const { personId, sessionId } = await dashboard.addPerson({ role: 'viewer' });
  const { reader, transact } = api.database;
  const { sealed } = dashboard.deps.oneTimeCodes.create(personId, '');
  const nowMs = api.world.nowMs();
  await transact((tx) => resetAuthenticator(tx, personId));
  // Each of these passed every look at its session before the reset, and reaches the database after it.
  const asked = { sessionId, isFirst: false, recoveryHashes: [] };
  const key = { passkeyId: 'on its way', publicKey: Buffer.alloc(1), counter: 0, transports: [] };
  const passkey = { ...key, personId, name: 'Phone', createdAtMs: nowMs };
  // hits mark: no-factor-after-a-reset
  expect(await transact((tx) => addPasskey(tx, { passkey, ...asked }))).toEqual({ outcome: 'session-over' });
  await transact((tx) => updatePendingSecret(tx, personId, sealed));
  const shown = { personId, step: 1, sealed, nowMs, ...asked };
  expect(await transact((tx) => adoptAuthenticator(tx, shown))).toBe('session-over');
  expect(await readCredentials(reader, personId)).toMatchObject({ totpSecret: null });
  expect(await countPasskeys(reader, personId)).toBe(0);
});

it('is gone with a reset, and cannot be made where the dashboard has an IP address', async () => {
  const { person } = await enrolled();
  await api.database.transact((tx) => resetAuthenticator(tx, person.personId));
  const browser = dashboard.visitor();
  const signedIn = await browser.call('session.sign-in', { email: person.email, password: TEST_PASSWORD });
  expect(signedIn.body).toEqual({ stage: 'enrolment-needed' });
  const url = 'http://127.0.0.1:8082';
  const plain = await startTestDashboard(api, { url });
  const response = await plain.app.inject({
    method: 'POST',
    url: '/api/session.read',
    payload: '{}',
    headers: { 'content-type': 'application/json', origin: url },
  });
  expect(response.json()).toMatchObject({ factors: { takes_passkeys: false } });
  await plain.close();
});
