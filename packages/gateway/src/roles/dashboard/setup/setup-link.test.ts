// The set-up link as its operator and strangers meet it: guessed, replayed, used twice at once, opened when it is over.
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { startTestDashboard, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { openSetup } from '../../../compose/dashboard/open-setup.ts';
import { showSetupLink } from '../../../compose/dashboard/show-setup-link.ts';
import { createMerchant } from '../../../flows/merchants/create-merchant.ts';
import { newToken } from '../../../keys/tokens.ts';
import { createLog } from '../../../runtime/log.ts';
import { Outage } from '../../../runtime/outage.ts';
import { createDashboard } from '../dashboard-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ADA = { email: 'Ada@Example.test', name: 'Ada', password: 'a long and winding road' };

let api: TestApi;
let dashboard: TestDashboard;
let hasKeys = true;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(api, {
    accountPublicKey: async () => {
      if (hasKeys) return 'xpub';
      throw new Outage('the signer is away');
    },
  });
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});
beforeEach(() => beginAnew());

/** As a gateway is before its first person. The audit log, which nothing may shorten, goes too. */
const beginAnew = () =>
  api.database.transact(async (tx) => {
    await tx.write('SET LOCAL session_replication_role = replica', []);
    await tx.write('TRUNCATE merchants, people CASCADE', []);
  });

/** As a start of the gateway does; the token of the link, null where there is none. */
async function start(isDemo = false): Promise<string | null> {
  const { transact } = api.database;
  const link = await openSetup({ transact, world: api.world, url: dashboard.deps.url, isDemo });
  if (link === null) return null;
  expect(link).toMatchObject({ untilMs: api.world.nowMs() + DAY_MS });
  return link.url.split('/set-up#')[1] ?? '';
}

const read = async (token: string) => (await dashboard.visitor().call('setup-link.read', { token })).status;
const accept = (token: string, who = ADA) => dashboard.visitor().call('setup-link.accept', { token, ...who });
const addMerchant = (merchantId: string) =>
  api.database.transact((tx) =>
    createMerchant(tx, { merchantId, name: 'Shop', depositFeePpm: 0, createdAtMs: 0 }),
  );
const people = () => api.database.reader.read('SELECT email, is_operator FROM people', []);

describe('the set-up link', () => {
  it('makes an operator who still needs a second factor, says whether keys are there, and is over', async () => {
    const token = (await start()) ?? '';
    const ada = dashboard.visitor();
    hasKeys = false;
    expect((await ada.call('setup-link.read', { token })).body).toEqual({ keys_ready: false });
    hasKeys = true;
    expect((await ada.call('setup-link.read', { token })).body).toEqual({ keys_ready: true });
    // A password that is refused leaves the link as it is.
    expect((await accept(token, { ...ADA, password: '1qaz2wsx3EDC' })).body['field']).toBe('password');
    const made = await ada.call('setup-link.accept', { token, ...ADA });
    expect(made).toMatchObject({ status: 200, body: { stage: 'enrolment-needed' } });
    expect(await people()).toEqual([{ email: 'ada@example.test', is_operator: true }]);
    expect((await ada.call('setup.read', {})).status).toBe(401);
    // Replayed, and opened after the set-up.
    expect([await read(token), (await accept(token)).status]).toEqual([404, 404]);
    expect(await start()).toBeNull();
    const log = await api.database.reader.read<{ operation: string }>(
      "SELECT operation FROM audit_log WHERE operation LIKE 'setup-link.%' ORDER BY sequence",
      [],
    );
    expect(log.map(({ operation }) => operation)).toEqual(['setup-link.open', 'setup-link.accept']);
  });

  it.each([
    ['info', 'warn'],
    ['error', 'error'],
  ] as const)('stands in a log of level %s, whole, as %s, until there is an account', async (level, as) => {
    const lines: { level: string; link?: string }[] = [];
    const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
    const place = {
      transact: api.database.transact,
      world: api.world,
      url: dashboard.deps.url,
      isDemo: false,
    };
    await showSetupLink(place, log, level);
    const [, token = ''] = lines[0]?.link?.split('#') ?? [];
    expect((await accept(token)).status).toBe(200);
    await showSetupLink(place, log, level);
    expect(lines.map((line) => line.level)).toEqual([as]);
  });

  it('opens one account where it is used many times at once', async () => {
    const token = (await start()) ?? '';
    const used = Array.from({ length: 6 }, (_, place) =>
      accept(token, { ...ADA, email: `thief${place}@example.test` }),
    );
    const statuses = (await Promise.all(used)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await people()).toHaveLength(1);
  });

  it('is not open for a guess, for the token of an earlier start, or after a day', async () => {
    const earlier = (await start()) ?? '';
    const token = (await start()) ?? '';
    const guess = newToken(api.world);
    for (const wrong of [guess, earlier]) {
      expect([await read(wrong), (await accept(wrong)).status]).toEqual([404, 404]);
    }
    expect(await read(token)).toBe(200);
    api.world.advance(DAY_MS);
    expect([await read(token), (await accept(token)).status]).toEqual([404, 404]);
    expect(await people()).toEqual([]);
  });

  it('paces guesses', async () => {
    const limits = { ...dashboard.deps.limits, attempts: { perSecond: 1, burst: 2 } };
    const strict = createDashboard({ ...dashboard.deps, limits });
    const headers = { origin: dashboard.deps.url, 'content-type': 'application/json' };
    const guess = { method: 'POST', url: '/api/setup-link.read', headers } as const;
    const payload = { token: newToken(api.world) };
    const statuses: number[] = [];
    for (let tries = 0; tries < 3; tries++)
      statuses.push((await strict.inject({ ...guess, payload })).statusCode);
    expect(statuses).toEqual([404, 404, 429]);
    await strict.close();
  });

  it('ends where an operator came by another way, and where there is a merchant', async () => {
    const token = (await start()) ?? '';
    await dashboard.addPerson({ isOperator: true });
    // hits mark: setup-link-ends
    expect([await read(token), (await accept(token)).status]).toEqual([404, 404]);
    await beginAnew();
    const late = (await start()) ?? '';
    await addMerchant('mer_9');
    expect([await read(late), (await accept(late)).status, await start()]).toEqual([404, 404, null]);
    // The demo has its shop before its people.
    expect(await start(true)).not.toBeNull();
  });
});

describe('what is set up after it', () => {
  it('gives a new merchant an owner: the operator at once, another person by an invitation', async () => {
    const operator = await dashboard.addPerson({ isOperator: true });
    const fees = { deposit_fee_ppm: 0, payout_fee_ppm: 0 };
    expect((await operator.call('setup.read', {})).body).toMatchObject({
      has_members: false,
      faucet_url: '',
    });
    const own = await operator.call('merchants.create', {
      name: 'Own',
      ...fees,
      owner_email: operator.email.toUpperCase(),
    });
    expect(own.body).toMatchObject({ merchant: { name: 'Own' }, invitation: null });
    const { merchant_id: merchantId } = own.body['merchant'] as { merchant_id: string };
    expect((await operator.call('setup.read', {})).body).toMatchObject({ has_members: true });
    const other = await operator.call('merchants.create', {
      name: 'Other',
      ...fees,
      owner_email: 'bob@example.test',
    });
    const { invitation_url: url } = other.body['invitation'] as { invitation_url: string };
    const bob = dashboard.visitor();
    const opened = await bob.call('invitation.read', { token: url.split('#')[1] ?? '' });
    expect(opened.body).toMatchObject({ merchant_name: 'Other', role: 'owner' });
    const shown = await operator.call('session.read', {});
    expect(shown.body['person']).toMatchObject({
      memberships: [{ merchant_id: merchantId, role: 'owner' }],
    });
  });

  it('places an order that pays itself in a demo alone', async () => {
    await addMerchant('mer_1');
    const { appId } = await api.addApp();
    const order = { merchant_id: 'mer_1', app_id: appId, request_id: 'request-0123456789' };
    const owner = await dashboard.addPerson({ role: 'owner' });
    expect(await owner.call('orders.create-test', order)).toMatchObject({ status: 409 });
    const demo = await startTestDashboard(api, { demo: true, faucetUrl: 'http://127.0.0.1:65535/' });
    const ada = await demo.addPerson({ role: 'developer' });
    const made = await ada.call('orders.create-test', order);
    expect(made).toMatchObject({ status: 200, body: { currency_id: 1001, amount: '1' } });
    // A click that is sent twice.
    expect((await ada.call('orders.create-test', order)).body).toEqual(made.body);
    await api.database.transact((tx) => tx.write('UPDATE merchants SET suspended = true', []));
    const another = { ...order, request_id: 'request-while-suspended' };
    expect(await ada.call('orders.create-test', another)).toMatchObject({ status: 409 });
    expect(made.headers['content-security-policy']).toContain("connect-src 'self' http://127.0.0.1:65535;");
    await demo.close();
  });
});
