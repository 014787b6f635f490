// A new password by a link in a mail, as people who forgot theirs meet it, and those who would like to be somebody else.
import { MOST_PASSWORD_LINKS, PASSWORD_LINK_HOLDS_MS } from '@ducat/core/access/password-link';
import { takeMails } from '@ducat/testkit/api/take-mails';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import {
  startTestDashboard,
  TEST_PASSWORD,
  type TestDashboard,
  type TestPerson,
} from '@ducat/testkit/api/test-dashboard';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Transact, Tx } from '../../../db/postgres/tx.ts';
import { endPassword } from '../../../db/tables/access/credentials.ts';
import { acceptPasswordLink } from '../../../flows/access/password-link/accept-password-link.ts';
import { removePerson } from '../../../flows/access/remove-person.ts';
import { resetAuthenticator } from '../../../flows/access/reset-authenticator.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { passwordLinkRound } from '../../maintenance/maintenance.ts';
import { createDashboard } from '../dashboard-app.ts';
import { type DashboardDeps, defaultDashboardLimits } from '../port.ts';

const NEW = 'a long and winding road';

let api: TestApi;
let dashboard: TestDashboard;
let caught: DashboardDeps['mails'];
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(api);
  caught = dashboard.deps.mails;
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});
beforeEach(async () => {
  // What the test before had mailed counts no more.
  api.world.advance(PASSWORD_LINK_HOLDS_MS);
  await takeMails(api);
});

const configure = (change: Partial<DashboardDeps>) => Object.assign(dashboard.deps, change);
const begin = (email: string) => dashboard.visitor().call('password-link.begin', { email });
const accept = (token: string, password = NEW, browser = dashboard.visitor()) =>
  browser.call('password-link.accept', { token, password });
const read = (token: string) => dashboard.visitor().call('password-link.read', { token });
const signIn = (email: string, password: string) =>
  dashboard.visitor().call('session.sign-in', { email, password });
const count = async (table: 'password_links' | 'mails' | 'audit_log' | 'dashboard_sessions') =>
  (await api.database.reader.read<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`, []))[0]?.n ??
  0;
const sorted = (statuses: readonly number[]) => statuses.toSorted((one, other) => one - other);
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.world.nowMs() });

/** The tokens that were mailed to this address since the last look. */
async function tokensMailed(email: string): Promise<readonly string[]> {
  const mails = (await takeMails(api)).filter(({ recipient }) => recipient === email);
  return mails.flatMap(({ text }) => /\/new-password#(\S+)/.exec(text)?.[1] ?? []);
}

async function linkOf({ email }: TestPerson): Promise<string> {
  await begin(email);
  return (await tokensMailed(email))[0] ?? '';
}

/** A member whose authenticator has this secret. */
async function enrolled(): Promise<{ readonly person: TestPerson; readonly secret: string }> {
  const person = await dashboard.addPerson({ role: 'owner' });
  const secret = String((await person.call('totp.begin', {})).body['secret']);
  expect((await person.call('totp.confirm', { code: codeOf(secret) })).status).toBe(200);
  api.world.advance(30_000);
  await takeMails(api);
  return { person, secret };
}

describe('a person who forgot the password', () => {
  it('chooses a new one by a link, and is asked for the second factor that was there before', async () => {
    const { person, secret } = await enrolled();
    expect((await dashboard.visitor().call('session.read', {})).body['password_links']).toBe(true);
    const asked = { email: person.email.toUpperCase(), language: 'de' } as const;
    const begun = await dashboard.visitor().call('password-link.begin', asked);
    expect(begun).toMatchObject({ status: 200, body: { is_caught: false } });
    const [mail] = await takeMails(api);
    expect(mail).toMatchObject({ recipient: person.email, subject: 'Ein neues Passwort für Ihr Konto' });
    const token = /\/new-password#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect((await read(token)).body).toEqual({ email: person.email });
    // Until the link is used all is as before, and a password that is refused leaves it.
    expect((await person.call('sessions.list', {})).status).toBe(200);
    expect((await accept(token, '1qaz2wsx3EDC')).body['field']).toBe('password');
    const browser = dashboard.visitor();
    expect(await accept(token, NEW, browser)).toMatchObject({ status: 200, body: { stage: 'code-needed' } });
    expect((await takeMails(api)).map(({ kind }) => kind)).toEqual(['password-changed']);
    expect((await browser.call('sessions.list', {})).status).toBe(401);
    expect((await browser.call('session.enter-code', { code: codeOf(secret) })).status).toBe(200);
    expect((await browser.call('sessions.list', {})).body['sessions']).toHaveLength(1);
    expect((await signIn(person.email, TEST_PASSWORD)).body['code']).toBe('sign-in-failed');
    expect((await signIn(person.email, NEW)).body).toEqual({ stage: 'code-needed' });
    const [entry] = await api.database.reader.read<Record<string, unknown>>(
      `SELECT person_id, subject, detail FROM audit_log WHERE operation = 'password-link.accept'
       ORDER BY sequence DESC LIMIT 1`,
      [],
    );
    expect(entry).toEqual({ person_id: person.personId, subject: person.personId, detail: 'code-needed' });
  });

  it('is signed out everywhere else, with every fresh second factor', async () => {
    const person = await dashboard.addPerson({ role: 'owner' });
    const half = dashboard.visitor();
    await half.call('session.sign-in', { email: person.email, password: TEST_PASSWORD });
    expect((await accept(await linkOf(person))).status).toBe(200);
    const stages = [];
    for (const browser of [person, half]) stages.push((await browser.call('session.read', {})).body['stage']);
    expect(stages).toEqual(['signed-out', 'signed-out']);
    const change = { password: NEW, new_password: TEST_PASSWORD };
    expect((await person.call('password.change', change)).status).toBe(401);
  });

  it('who has no second factor goes on as by signing in', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const browser = dashboard.visitor();
    const opened = await accept(await linkOf(person), NEW, browser);
    expect(opened.body).toEqual({ stage: 'enrolment-needed' });
    expect((await browser.call('sessions.list', {})).status).toBe(401);
    expect((await browser.call('totp.begin', {})).status).toBe(200);
  });

  it('and was locked by wrong passwords is let go on, and wrong codes stay counted', async () => {
    const { person } = await enrolled();
    for (let each = 0; each < 10; each++) await signIn(person.email, 'not my password');
    expect((await signIn(person.email, TEST_PASSWORD)).body['code']).toBe('too-many');
    const browser = dashboard.visitor();
    await accept(await linkOf(person), NEW, browser);
    for (let each = 0; each < 5; each++) await browser.call('session.enter-code', { code: '000000' });
    expect((await browser.call('session.enter-code', { code: '000000' })).body['code']).toBe('too-many');
    // Another link does not take the lock of the codes away.
    const again = dashboard.visitor();
    expect((await accept(await linkOf(person), 'another long road', again)).status).toBe(200);
    expect((await again.call('session.enter-code', { code: '000000' })).body['code']).toBe('too-many');
  });
});

describe('who has the mailbox of another person', () => {
  it('gets in by no link without the second factor, and takes none away', async () => {
    const { person, secret } = await enrolled();
    const thief = dashboard.visitor();
    // hits mark: a-link-stands-for-the-password-alone
    expect((await accept(await linkOf(person), NEW, thief)).body).toEqual({ stage: 'code-needed' });
    expect((await thief.call('totp.begin', {})).status).toBe(401);
    expect((await thief.call('session.step-up', { password: NEW })).status).toBe(401);
    expect((await thief.call('recovery-codes.renew', {})).status).toBe(401);
    expect((await thief.call('session.enter-code', { code: '000000' })).status).toBe(400);
    expect((await thief.call('session.read', {})).body).toMatchObject({ stage: 'code-needed', person: null });
    expect((await thief.call('session.enter-code', { code: codeOf(secret) })).status).toBe(200);
  });

  it('has no link left from before an operator took the second factor away', async () => {
    const { person } = await enrolled();
    const token = await linkOf(person);
    await api.database.transact((tx) => resetAuthenticator(tx, person.personId));
    // hits mark: a-reset-ends-the-link
    expect((await accept(token)).status).toBe(404);
  });
});

describe('a link', () => {
  it('is not guessed, works once, and for one of two at the same time', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const token = await linkOf(person);
    expect([(await accept(newToken(api.world))).status, (await read(newToken(api.world))).status]).toEqual([
      404, 404,
    ]);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, place) => accept(token, `${NEW} ${place}`)),
    );
    // hits mark: a-password-link-works-once
    expect(sorted(answers.map(({ status }) => status))).toEqual([200, 404, 404, 404, 404, 404]);
    expect([(await accept(token)).status, (await read(token)).status]).toEqual([404, 404]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect((await signIn(person.email, `${NEW} ${won}`)).status).toBe(200);
  });

  it('ends after an hour, and by a newer one', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const first = await linkOf(person);
    const second = await linkOf(person);
    expect([(await accept(first)).status, (await read(second)).status]).toEqual([404, 200]);
    api.world.advance(PASSWORD_LINK_HOLDS_MS);
    expect([(await read(second)).status, (await accept(second)).status]).toEqual([404, 404]);
  });

  it('ends with a password that was changed in between', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const token = await linkOf(person);
    const change = { password: TEST_PASSWORD, new_password: 'a password of my own' };
    expect((await person.call('password.change', change)).status).toBe(200);
    // hits mark: a-changed-password-ends-the-link
    expect((await accept(token)).status).toBe(404);
    expect((await signIn(person.email, 'a password of my own')).status).toBe(200);
  });

  it('opens nothing of a person who was removed, also at the same time', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const token = await linkOf(person);
    await api.database.transact((tx) => removePerson(tx, person.personId));
    expect((await accept(token)).status).toBe(404);
    // Nor is anything mailed to such a person.
    await begin(person.email);
    expect(await takeMails(api)).toEqual([]);
    const other = await dashboard.addPerson({ role: 'viewer' });
    const link = await linkOf(other);
    const remove = () => api.database.transact((tx) => removePerson(tx, other.personId));
    await Promise.all([remove(), accept(link)]);
    expect((await signIn(other.email, NEW)).body['code']).toBe('sign-in-failed');
    const open = await api.database.reader.read('SELECT 1 FROM dashboard_sessions WHERE person_id = $1', [
      other.personId,
    ]);
    // Whichever came first: the removal ends the session, or there was no link.
    expect(open).toEqual([]);
  });

  it('gives no password to who was removed, whatever is left of it', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const tokenHash = hashOfToken(await linkOf(person));
    await api.database.transact((tx) => endPassword(tx, person.personId));
    const shown = { tokenHash, emailHash: Buffer.of(1), passwordHash: 'a hash', nowMs: api.world.nowMs() };
    // hits mark: who-was-removed-has-no-password
    expect(await api.database.transact((tx) => acceptPasswordLink(tx, shown))).toBeNull();
  });

  it('that is opened in the browser of another person changes nothing of that one', async () => {
    const { person } = await enrolled();
    const other = await dashboard.addPerson({ role: 'owner' });
    expect((await accept(await linkOf(person), NEW, other)).body).toEqual({ stage: 'code-needed' });
    expect((await other.call('session.read', {})).body).toMatchObject({ stage: 'code-needed', person: null });
    expect((await signIn(other.email, TEST_PASSWORD)).status).toBe(200);
    expect((await signIn(person.email, NEW)).status).toBe(200);
    const [entry] = await api.database.reader.read<{ person_id: string }>(
      `SELECT person_id FROM audit_log WHERE operation = 'password-link.accept' ORDER BY sequence DESC LIMIT 1`,
      [],
    );
    expect(entry?.person_id).toBe(person.personId);
  });

  it('leaves nothing behind where nobody opens it', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const silent = () => undefined;
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const onBug = () => {
      throw new Error('a flow failed');
    };
    const maintenance = { transact: api.database.transact, world: api.world, log, onBug };
    const round = () =>
      passwordLinkRound({ ...maintenance, world: { ...api.world, sleep: async () => undefined } });
    await round();
    await begin(person.email);
    await begin('nobody@example.test');
    expect(await round()).toBe(0);
    api.world.advance(PASSWORD_LINK_HOLDS_MS);
    expect(await round()).toBe(2);
    expect(await count('password_links')).toBe(0);
  });
});

describe('a stranger', () => {
  it('learns of no e-mail whether it has an account, by no answer and by no work that is done', async () => {
    const known = (await dashboard.addPerson({ role: 'viewer' })).email;
    const asked: string[][] = [];
    const transact: Transact = (flow, kind) => {
      const statements: string[] = [];
      asked.push(statements);
      const noting = (tx: Tx): Tx => ({
        ...tx,
        read: (sql, values) => (statements.push(sql), tx.read(sql, values)),
        write: (sql, values) => (statements.push(sql), tx.write(sql, values)),
      });
      return api.database.transact((tx) => flow(noting(tx)), kind);
    };
    const sealed: number[] = [];
    const noted: DashboardDeps['mails'] = {
      seal: (id, mail) => (sealed.push(mail.text.length), caught!.seal(id, mail)),
    };
    const before = [await count('password_links'), await count('mails'), await count('audit_log')];
    configure({ transact, mails: noted });
    const [first, second] = [await begin(known), await begin('nobody@example.test')];
    configure({ transact: api.database.transact, mails: caught });
    // hits mark: password-link-says-nothing
    expect(first.body).toEqual(second.body);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(asked[1]);
    expect(asked[0]?.length).toBeGreaterThan(4);
    // As much is composed and sealed, and one of them is thrown away.
    expect(sealed[0]).toBe(sealed[1]);
    const after = [await count('password_links'), await count('mails'), await count('audit_log')];
    expect(after).toEqual([before[0]! + 2, before[1]! + 2, before[2]]);
    // Who has no account is not mailed: nobody but people of the gateway can be bothered.
    expect((await takeMails(api)).map(({ recipient }) => recipient)).toEqual([known]);
  });

  it('learns it by no pace, and keeps nobody out by asking for links', async () => {
    const known = await dashboard.addPerson({ role: 'viewer' });
    for (const email of [known.email, 'nobody@example.test']) {
      const statuses = [];
      for (let each = 0; each < 6; each++) statuses.push((await begin(email)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    }
    const tokens = await tokensMailed(known.email);
    expect(tokens).toHaveLength(3);
    const works = await Promise.all(tokens.map(async (token) => (await read(token)).status));
    // The newest that was mailed works until the next one may be mailed.
    expect(sorted(works)).toEqual([200, 404, 404]);
    api.world.advance(PASSWORD_LINK_HOLDS_MS - 1);
    await begin(known.email);
    expect(await takeMails(api)).toEqual([]);
    expect((await Promise.all(tokens.map(read))).filter(({ status }) => status === 200)).toHaveLength(1);
    api.world.advance(1);
    await begin(known.email);
    expect(await takeMails(api)).toHaveLength(1);
  });

  it('has so many links begun an hour and no more, however many ask at once and for whom', async () => {
    const rows = await count('mails');
    const flood = Array.from({ length: MOST_PASSWORD_LINKS + 8 }, (_, place) =>
      begin(`flood${place}@example.test`),
    );
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    // hits mark: password-links-are-counted
    expect(statuses.filter((status) => status === 200)).toHaveLength(MOST_PASSWORD_LINKS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
    expect((await count('mails')) - rows).toBe(MOST_PASSWORD_LINKS);
    // Alike for who has an account.
    const { email } = await dashboard.addPerson({ role: 'viewer' });
    expect((await begin(email)).status).toBe(429);
    api.world.advance(PASSWORD_LINK_HOLDS_MS);
    expect((await begin(email)).status).toBe(200);
  });

  it('asks for few from one network, however many addresses it has, and guesses few tokens', async () => {
    const { perSecond, burst } = defaultDashboardLimits.passwordLinks;
    expect(perSecond * 86_400 + burst).toBeLessThan(30);
    const limits = {
      ...dashboard.deps.limits,
      passwordLinks: { perSecond: 0.001, burst: 2 },
      attempts: { perSecond: 0.001, burst: 3 },
    };
    const app = createDashboard({ ...dashboard.deps, limits });
    const headers = { origin: dashboard.deps.url, 'content-type': 'application/json' };
    const ask = async (name: string, remoteAddress: string) =>
      (await app.inject({ method: 'POST', url: `/api/${name}`, payload: '{}', headers, remoteAddress }))
        .statusCode;
    const ofNetwork: number[] = [];
    for (let site = 1; site <= 3; site++)
      ofNetwork.push(await ask('password-link.begin', `2001:db8:7:${site}::1`));
    expect(ofNetwork).toEqual([400, 400, 429]);
    const guesses: number[] = [];
    for (let each = 1; each <= 4; each++) guesses.push(await ask('password-link.accept', '192.0.2.9'));
    expect(guesses).toEqual([400, 400, 400, 429]);
    await app.close();
  });

  it('finds nothing of it where no mails are sent', async () => {
    const person = await dashboard.addPerson({ role: 'viewer' });
    const token = await linkOf(person);
    configure({ mails: null });
    const begun = await begin(person.email);
    const statuses = [begun.status, (await read(token)).status, (await accept(token)).status];
    const session = await dashboard.visitor().call('session.read', {});
    configure({ mails: caught });
    expect(statuses).toEqual([404, 404, 404]);
    expect(session.body['password_links']).toBe(false);
  });
});
