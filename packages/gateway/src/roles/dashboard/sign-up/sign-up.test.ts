// Signing up as newcomers and strangers meet it: open or not, for oneself or in the name of others, one by one or in a flood.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeMails } from '@ducat/testkit/api/take-mails';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { startTestDashboard, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Transact, Tx } from '../../../db/postgres/tx.ts';
import { createInvitation } from '../../../flows/access/create-invitation.ts';
import { hashOfToken, newToken } from '../../../keys/tokens.ts';
import { createMailFolder, openMailFolder } from '../../../mail/mail-folder.ts';
import { signUpRound } from '../../maintenance/maintenance.ts';
import { createDashboard } from '../dashboard-app.ts';
import { type DashboardDeps, defaultDashboardLimits } from '../port.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SHOP = { merchant_name: 'Northwind Tea', name: 'Ada', password: 'a long and winding road' };
const LIMITS = { payoutMaxValue: 0n, payoutMaxDayValue: 500_000_000n, maxOpenOrders: 20 };
const terms = (mostADay: number) => ({ mostADay, isSuspended: true, limits: LIMITS });

let api: TestApi;
let open: TestDashboard;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  open = await startTestDashboard(api, { signUp: 'open', signUpTerms: terms(1_000) });
  // Its set-up link is the first account of a gateway, whoever finds the page before.
  expect((await begin('first@example.test')).body).toMatchObject({ code: 'sign-up-closed' });
  await open.addPerson({ isOperator: true });
});
afterAll(async () => {
  await open?.close();
  await api?.close();
});
beforeEach(async () => {
  configure({ signUp: 'open', signUpTerms: terms(1_000) });
  // What the test before had mailed counts no more.
  api.world.advance(DAY_MS);
  await takeMails(api);
});

/** As after a start with another configuration. */
const configure = (change: Partial<DashboardDeps>) => Object.assign(open.deps, change);
const begin = (email: string) => open.visitor().call('sign-up.begin', { email });
const accept = (token: string) => open.visitor().call('sign-up.accept', { token, ...SHOP });
const count = async (table: 'sign_ups' | 'people' | 'merchants' | 'mails' | 'audit_log') =>
  (await api.database.reader.read<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`, []))[0]?.n;

/** The token in the newest mail to this address; "" where there is none. */
async function tokenMailed(email: string): Promise<string> {
  const mail = (await takeMails(api)).find(({ recipient }) => recipient === email);
  return /\/sign-up#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

async function linkOf(email: string): Promise<string> {
  await begin(email);
  return tokenMailed(email);
}

/** The open dashboard with something changed; its requests may come from any address. */
async function askFrom(
  change: Partial<DashboardDeps>,
  remoteAddress: string,
  name: string,
  payload: object,
  more: Readonly<Record<string, string>> = {},
) {
  const app = createDashboard({ ...open.deps, ...change });
  const headers = { origin: open.deps.url, 'content-type': 'application/json' };
  const asked = { url: `/api/${name}`, payload, headers: { ...headers, ...more }, remoteAddress };
  const { statusCode, payload: answered } = await app.inject({ method: 'POST', ...asked });
  await app.close();
  return { status: statusCode, body: JSON.parse(answered) };
}

describe('a person who signs up', () => {
  it('gets a link, sets up a second factor, and owns a merchant that is suspended and limited until an operator knows it', async () => {
    const operator = await open.addPerson({ isOperator: true });
    const ada = open.visitor();
    const begun = await ada.call('sign-up.begin', { email: 'Ada@Example.test', language: 'de' });
    expect(begun).toMatchObject({ status: 200, body: { is_caught: false } });
    const [mail] = await takeMails(api);
    expect(mail).toMatchObject({ recipient: 'ada@example.test', kind: 'sign-up' });
    expect(mail?.subject).toBe('Ihre Registrierung bei einem Zahlungs-Gateway');
    const token = /\/sign-up#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect((await ada.call('sign-up.read', { token })).body).toEqual({ email: 'ada@example.test' });
    const merchants = await count('merchants');
    // A password that is refused leaves the link as it is.
    const weak = { ...SHOP, token, password: '1qaz2wsx3EDC' };
    expect((await ada.call('sign-up.accept', weak)).body['field']).toBe('password');
    // A name that turns the line around, or looks like another one; one with a joiner is a name.
    const unseen = [0xad, 0x200b, 0x2028, 0x2029, 0x2060, 0x2064, 0xfeff, 0xe0000, 0xe0041];
    for (const sign of ['\u202e', '\u2066', '\u200f', ...unseen.map((code) => String.fromCodePoint(code))]) {
      const hidden = { ...SHOP, token, merchant_name: `Tea${sign}` };
      expect((await ada.call('sign-up.accept', hidden)).body['field']).toBe('merchant_name');
    }
    const made = await ada.call('sign-up.accept', { ...SHOP, token });
    expect(made).toMatchObject({ status: 200, body: { stage: 'enrolment-needed' } });
    // Nothing is done without a second factor.
    expect((await ada.call('sessions.list', {})).status).toBe(401);
    expect(await count('merchants')).toBe((merchants ?? 0) + 1);
    expect([(await accept(token)).status, (await ada.call('sign-up.read', { token })).status]).toEqual([
      404, 404,
    ]);

    const listed = await operator.call('merchants.list', {});
    const [merchant] = (listed.body['merchants'] as { is_from_sign_up: boolean }[]).filter(
      ({ is_from_sign_up: isFromSignUp }) => isFromSignUp,
    );
    expect(merchant).toMatchObject({
      name: 'Northwind Tea',
      is_suspended: true,
      limits: { payout_max_usd: '0', payout_max_day_usd: '500', max_open_orders: 20 },
    });
    const notice = (await takeMails(api)).find(({ recipient }) => recipient === operator.email);
    expect(notice?.kind).toBe('merchant-opened');
    expect(notice?.text).toContain('ada@example.test has signed up and opened the merchant Northwind Tea.');
    const { body } = await operator.call('audit-log.list-all', {});
    expect((body['entries'] as object[])[0]).toMatchObject({
      operation: 'sign-up.accept',
      detail: 'owner ada@example.test, Northwind Tea',
    });
  });

  it('who was removed comes back with the old account, as by an invitation', async () => {
    const email = 'eve@example.test';
    await accept(await linkOf(email));
    const people = await count('people');
    await api.database.transact((tx) =>
      tx.write(
        `UPDATE credentials SET password_hash = '' WHERE person_id = (SELECT person_id FROM people WHERE email = $1)`,
        [email],
      ),
    );
    expect((await accept(await linkOf(email))).status).toBe(200);
    expect(await count('people')).toBe(people);
  });
});

describe('a stranger', () => {
  it('learns of no e-mail whether it has an account, by no answer and by no work that is done', async () => {
    const known = (await open.addPerson({ role: 'viewer' })).email;
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
    const rows = (await count('sign_ups')) ?? 0;
    configure({ transact });
    const [first, second] = [await begin(known), await begin('nobody@example.test')];
    configure({ transact: api.database.transact });
    // hits mark: sign-up-says-nothing
    expect(first.body).toEqual(second.body);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(asked[1]);
    expect(asked[0]?.length).toBeGreaterThan(4);
    expect(await count('sign_ups')).toBe(rows + 2);
    const mails = await takeMails(api);
    // Alike to who sees the outbox or the subject; the owner alone reads that there is an account, and gets no link to another.
    expect(new Set(mails.map(({ kind, subject }) => `${kind} ${subject}`)).size).toBe(1);
    const toKnown = mails.find(({ recipient }) => recipient === known);
    expect(toKnown?.text).toContain('There is one already, and nothing has changed.');
    expect(toKnown?.text).not.toContain('#');
  });

  it('has three mails sent to one address a day, and makes none of its links void with those left out', async () => {
    const email = 'bombed@example.test';
    const answers = [];
    for (let each = 0; each < 6; each++) answers.push((await begin(email)).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 200]);
    const mails = await takeMails(api);
    expect(mails).toHaveLength(3);
    const works = mails.map(async ({ text }) => {
      const token = /\/sign-up#(\S+)/.exec(text)?.[1] ?? '';
      return (await open.visitor().call('sign-up.read', { token })).status;
    });
    // The newest link that was mailed works, and no other.
    expect((await Promise.all(works)).toSorted((one, other) => one - other)).toEqual([200, 404, 404]);
    api.world.advance(DAY_MS);
    await begin(email);
    expect(await takeMails(api)).toHaveLength(1);
  });

  it('writes so many mails and rows a day and no more, however many ask at once, and nothing into the audit log', async () => {
    configure({ signUpTerms: terms(3) });
    const [rows, entries] = [await count('sign_ups'), await count('audit_log')];
    const flood = Array.from({ length: 12 }, (_, place) => begin(`flood${place}@example.test`));
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    // hits mark: sign-ups-are-counted
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(9);
    expect(await takeMails(api)).toHaveLength(3);
    expect([await count('sign_ups'), await count('audit_log')]).toEqual([(rows ?? 0) + 3, entries]);
    // Also for who has an account.
    const { email } = await open.addPerson({ role: 'viewer' });
    expect((await begin(email)).status).toBe(429);
    api.world.advance(DAY_MS);
    expect((await begin(email)).status).toBe(200);
  });

  it('begins few sign-ups from one network, however many addresses it has', async () => {
    const { perSecond, burst } = defaultDashboardLimits.signUps;
    expect(perSecond * 86_400 + burst).toBeLessThan(30);
    const limits = { ...open.deps.limits, signUps: { perSecond: 0.001, burst: 2 } };
    const app = createDashboard({ ...open.deps, limits });
    const headers = { origin: open.deps.url, 'content-type': 'application/json' };
    const ask = async (remoteAddress: string) => {
      const url = '/api/sign-up.begin';
      return (await app.inject({ method: 'POST', url, payload: '{}', headers, remoteAddress })).statusCode;
    };
    const ofOne = [await ask('192.0.2.9'), await ask('192.0.2.9'), await ask('192.0.2.9')];
    expect(ofOne).toEqual([400, 400, 429]);
    const ofNetwork: number[] = [];
    for (let site = 1; site <= 3; site++) ofNetwork.push(await ask(`2001:db8:7:${site}::1`));
    expect(ofNetwork).toEqual([400, 400, 429]);
    expect(await ask('2001:db8:8:1::1')).toBe(400);
    await app.close();
  });

  it('has no mail sent to what a mail server may read as two addresses', async () => {
    const signs = ['<', '>', '(', ')', '[', ']', '\\', ',', ';', ':', '"', ' '];
    const statuses = signs.map(async (sign) => (await begin(`a${sign}b@example.test`)).status);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([400]));
    expect((await begin("o'hara+1=x@example.test")).status).toBe(200);
  });

  it('guesses no link, opens none that is over, and makes one account of one', async () => {
    const token = await linkOf('carl@example.test');
    expect((await accept(newToken(api.world))).status).toBe(404);
    const merchants = (await count('merchants')) ?? 0;
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => accept(token)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await count('merchants')).toBe(merchants + 1);
    const late = await linkOf('late@example.test');
    api.world.advance(DAY_MS);
    expect((await accept(late)).status).toBe(404);
  });

  it('leaves nothing behind who never opens the link', async () => {
    await begin('never@example.test');
    const silent = () => undefined;
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const onBug = () => {
      throw new Error('a flow failed');
    };
    const { transact } = api.database;
    const world = { ...api.world, sleep: async () => undefined };
    const kept = (await count('sign_ups')) ?? 0;
    // Those of the tests before, whose day is over.
    const before = await signUpRound({ transact, world, log, onBug });
    expect(kept - before).toBe(1);
    api.world.advance(DAY_MS);
    expect(await signUpRound({ transact, world, log, onBug })).toBe(1);
    expect(await count('sign_ups')).toBe(0);
  });
});

describe('an operator who has no open sign-up', () => {
  it.each(['invited', 'closed'] as const)(
    'refuses everybody with %s, also who has a link',
    async (signUp) => {
      const token = await linkOf(`${signUp}@example.test`);
      configure({ signUp });
      expect((await begin('new@example.test')).body).toMatchObject({ code: 'sign-up-closed' });
      expect((await accept(token)).status).toBe(404);
      expect((await open.visitor().call('session.read', {})).body['sign_up']).toBe(signUp);
    },
  );

  it('takes nobody new with closed, but whom the command on the host invites', async () => {
    const [owner, operator] = [
      await open.addPerson({ role: 'owner' }),
      await open.addPerson({ isOperator: true }),
    ];
    const invite = { merchant_id: 'mer_1', email: 'zoe@example.test', role: 'viewer' } as const;
    const tokenIn = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
      String(body['invitation_url']).split('#')[1] ?? '';
    const token = tokenIn(await owner.call('team.invite', invite));
    const join = { token: tokenIn(await owner.call('team.invite', { ...invite, email: operator.email })) };
    configure({ signUp: 'closed' });

    const refused = { status: 403, body: { code: 'sign-up-closed' } };
    expect(await owner.call('team.invite', invite)).toMatchObject(refused);
    expect(await operator.call('people.invite', { email: invite.email })).toMatchObject(refused);
    const given = { name: 'Own', deposit_fee_ppm: 0, payout_fee_ppm: 0, owner_email: invite.email };
    expect(await operator.call('merchants.create', given)).toMatchObject(refused);
    const own = { ...given, owner_email: operator.email };
    expect((await operator.call('merchants.create', own)).status).toBe(200);
    // Invitations of before open nothing, say why, and are open again afterwards.
    const zoe = { token, name: 'Zoe', password: SHOP.password };
    // hits mark: closed-is-for-nobody-new
    const closed = await open.visitor().call('invitation.accept', zoe);
    expect(closed).toMatchObject(refused);
    expect(closed.body['message']).toContain('ducat people');
    expect(await open.visitor().call('invitation.read', { token })).toMatchObject(refused);
    expect(await operator.call('invitation.join', join)).toMatchObject(refused);
    configure({ signUp: 'invited' });
    expect((await open.visitor().call('invitation.accept', zoe)).status).toBe(200);

    configure({ signUp: 'closed' });
    const byHand = newToken(api.world);
    await api.database.transact((tx) =>
      createInvitation(tx, {
        invitationId: 'inv_by_hand',
        tokenHash: hashOfToken(byHand),
        email: 'host@example.test',
        merchantId: 'mer_1',
        role: 'owner',
        invitedBy: null,
        createdAtMs: api.world.nowMs(),
      }),
    );
    expect((await open.visitor().call('invitation.accept', { ...zoe, token: byHand })).status).toBe(200);
  });

  it('and a link of a sign-up makes no second account of an e-mail that was invited meanwhile', async () => {
    const email = 'both@example.test';
    const token = await linkOf(email);
    const owner = await open.addPerson({ role: 'owner' });
    const invited = await owner.call('team.invite', { merchant_id: 'mer_1', email, role: 'viewer' });
    const by = String(invited.body['invitation_url']).split('#')[1] ?? '';
    const { name, password } = SHOP;
    expect((await open.visitor().call('invitation.accept', { token: by, name, password })).status).toBe(200);
    expect((await accept(token)).body).toMatchObject({ code: 'conflict' });
  });
});

describe('the mails of a demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-mails-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are shown as they were caught, on the machine itself, and nowhere else', async () => {
    const mails = join(folder, 'mails');
    const caughtMails = openMailFolder(mails);
    expect(await caughtMails.list(9)).toEqual([]);
    const way = createMailFolder(mails);
    const mail = { recipient: 'ada@example.test', subject: 'Hi', text: 'Open this:\nhttps://d.test/#t\n' };
    await way.send({ mailId: 'mai_1', ...mail });
    await way.send({ mailId: 'mai_2', ...mail, subject: 'Later' });
    const list = 'mails.list-caught';
    const shown = await askFrom({ caughtMails }, '127.0.0.1', list, {});
    expect(shown).toMatchObject({
      status: 200,
      body: {
        mails: [
          { mail_id: 'mai_2', subject: 'Later' },
          { mail_id: 'mai_1', ...mail },
        ],
      },
    });
    // hits mark: caught-mails-stay-here
    expect((await askFrom({ caughtMails }, '192.0.2.4', list, {})).status).toBe(404);
    expect((await askFrom({ caughtMails }, '::ffff:192.0.2.4', list, {})).status).toBe(404);
    expect((await askFrom({}, '127.0.0.1', list, {})).status).toBe(404);
    // Through a proxy on the machine itself.
    const asked = (more: Readonly<Record<string, string>>) =>
      askFrom({ caughtMails }, '127.0.0.1', list, {}, more);
    for (const by of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'])
      expect((await asked({ [by]: '192.0.2.4' })).status).toBe(404);
    // A proxy that passes on the name, and a page elsewhere whose name leads here.
    for (const host of ['demo.example', '192.0.2.4:80', 'localhost.example', '127.0.0.1.example', 'x:y'])
      expect((await asked({ host })).status).toBe(404);
    for (const host of ['localhost:4000', '127.0.0.1', '[::1]:4000'])
      expect((await asked({ host })).status).toBe(200);
  });
});
