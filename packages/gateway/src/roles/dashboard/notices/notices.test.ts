// Which mails people get: invitations, and what happens to their accounts and their merchant's apps.
import { Secret, TOTP } from 'otpauth';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { takeMails } from '@ducat/testkit/api/take-mails';
import {
  startTestDashboard,
  TEST_PASSWORD,
  type TestDashboard,
  type TestPerson,
} from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { mailNotice } from './mail-notice.ts';

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

const mailed = () => takeMails(api);
const kinds = async () => (await mailed()).map(({ recipient, kind }) => `${recipient.split('@')[0]} ${kind}`);
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.world.nowMs() });

it('mails an invitation whose link works, and then what happens to the account', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const invite = { merchant_id: 'mer_1', email: 'ada@example.test', role: 'finance' } as const;
  expect((await owner.call('team.invite', invite)).body['is_mailed']).toBe(true);
  const [invitation] = await mailed();
  expect(invitation).toMatchObject({ recipient: 'ada@example.test', kind: 'invitation' });
  const token = /\/invitation#(\S+)/.exec(invitation?.text ?? '')?.[1] ?? '';
  const ada = dashboard.visitor();
  const password = 'a long and winding road';
  await ada.call('invitation.accept', { token, name: 'Ada', password });
  const secret = String((await ada.call('totp.begin', {})).body['secret']);
  const { body } = await ada.call('totp.confirm', { code: codeOf(secret) });
  // Not of a new device besides: this mail says it.
  const others = new Set(['ada authenticator-changed', `${owner.email.split('@')[0]} member-joined`]);
  expect(new Set(await kinds())).toEqual(others);

  const signIn = async (browser: TestPerson) => {
    api.world.advance(30_000);
    await browser.call('session.sign-in', { email: 'ada@example.test', password });
    return browser.call('session.enter-code', { code: codeOf(secret) });
  };
  await signIn(ada);
  expect(await kinds()).toEqual([]);
  const elsewhere = dashboard.visitor();
  await signIn(elsewhere);
  await signIn(elsewhere);
  expect(await kinds()).toEqual(['ada new-device']);
  api.world.advance(91 * 24 * 3_600_000);
  await signIn(elsewhere);
  expect(await kinds()).toEqual(['ada new-device']);

  await elsewhere.call('password.change', { password, new_password: 'another long sentence' });
  await elsewhere.call('recovery-codes.renew', {});
  const [used = ''] = body['recovery_codes'] as string[];
  await ada.call('session.sign-in', { email: 'ada@example.test', password: 'another long sentence' });
  // It was replaced, so it opens nothing and is no mail.
  await ada.call('session.enter-recovery-code', { recovery_code: used });
  expect(await kinds()).toEqual(['ada password-changed', 'ada recovery-codes-renewed']);
});

it('mails a recovery code that was used', async () => {
  const { email } = await dashboard.addPerson({ role: 'viewer' });
  const person = dashboard.visitor();
  await person.call('session.sign-in', { email, password: TEST_PASSWORD });
  const secret = String((await person.call('totp.begin', {})).body['secret']);
  const { body } = await person.call('totp.confirm', { code: codeOf(secret) });
  const [code = ''] = body['recovery_codes'] as string[];
  await person.call('session.sign-in', { email, password: TEST_PASSWORD });
  await mailed();
  await person.call('session.enter-recovery-code', { recovery_code: code });
  const [mail] = await mailed();
  expect(mail).toMatchObject({ recipient: email, kind: 'recovery-code-used' });
  expect(mail?.text).toContain('9 are left');
  expect(mail?.text).not.toContain(code);
});

it('mails those who administer a merchant about its AppKeys and payout rules', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const admin = await dashboard.addPerson({ role: 'admin' });
  await dashboard.addPerson({ role: 'finance' });
  const ask = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const about = async () =>
    (await kinds()).filter((line) =>
      [owner, admin].some(({ email }) => line.startsWith(`${email.split('@')[0]} `)),
    );
  const version = async () =>
    ((await owner.call('apps.read', ask)).body as ResponseOf<'apps.read'>).app.version;
  const rotate = async () =>
    owner.call('apps.rotate-key', { ...ask, version: await version(), grace_seconds: 0 });
  await rotate();
  const names = [owner, admin].map(({ email }) => email.split('@')[0]);
  expect(await about()).toEqual(names.map((name) => `${name} app-key-rotated`).toSorted());
  await owner.call('apps.switch-one-time-codes', { ...ask, version: await version(), is_on: true });
  await owner.call('address-list.add', {
    ...ask,
    family: 'evm',
    address: `0x${'12'.repeat(20)}`,
    label: 'cold',
  });
  expect(new Set(await about())).toEqual(new Set(names.map((name) => `${name} payout-rules-changed`)));
  // Enough notices about one merchant leave out none about another.
  for (let each = 0; each < 5; each++) await rotate();
  await mailed();
  await rotate();
  expect(await about()).toEqual([]);
  const call = { deps: dashboard.deps, nowMs: api.world.nowMs() };
  const notice = {
    kind: 'app-key-rotated',
    merchantName: 'Other',
    appName: 'Shop',
    by: owner.email,
  } as const;
  const other = { email: owner.email, merchantId: 'mer_2' };
  const circumstances = { at: 'now', address: '192.0.2.1', userAgent: '' };
  const isMailed = await api.database.transact(async (tx) => {
    await tx.write("INSERT INTO merchants VALUES ('mer_2', 'Other', 300, 0)", []);
    return mailNotice(tx, call, other, { ...notice, ...circumstances });
  });
  expect(isMailed).toBe(true);
  const people = await api.database.reader.read('SELECT DISTINCT recipient FROM mails m WHERE kind = $1', [
    'app-key-rotated',
  ]);
  const administering = await api.database.reader.read(
    "SELECT 1 FROM memberships WHERE merchant_id = 'mer_1' AND role IN ('owner', 'admin')",
    [],
  );
  expect(people).toHaveLength(administering.length);
});

it('mails those who administer a merchant about where webhooks go and the API may be used from, and the tolerance', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const admin = await dashboard.addPerson({ role: 'admin' });
  const ask = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const here = [owner, admin].map(({ email }) => email);
  await mailed();
  const about = async () => (await mailed()).filter(({ recipient }) => here.includes(recipient));
  const read = async () => ((await owner.call('apps.read', ask)).body as ResponseOf<'apps.read'>).app;
  const change = async (wish: { callback_url?: string; tolerance_ppm?: number }) => {
    const { version, enabled } = await read();
    return owner.call('apps.change', { ...ask, version, enabled, ...wish });
  };
  await change({ callback_url: 'https://shop.test/elsewhere' });
  const [webhook, ...others] = await about();
  expect(webhook).toMatchObject({ recipient: owner.email, kind: 'webhook-changed' });
  expect(webhook?.text).toContain(owner.email);
  expect(others.map(({ recipient, kind }) => [recipient, kind])).toEqual([[admin.email, 'webhook-changed']]);
  await change({ tolerance_ppm: 5_000 });
  expect((await about()).map(({ recipient, kind }) => [recipient, kind])).toEqual([
    [owner.email, 'tolerance-changed'],
    [admin.email, 'tolerance-changed'],
  ]);
  // Saved again as it is, and with what stands left out.
  await change({ tolerance_ppm: 5_000, callback_url: 'https://shop.test/elsewhere' });
  await change({});
  expect(await about()).toEqual([]);

  const network = { allowed_ranges: ['203.0.113.7', '127.0.0.1'], min_operable_usd: null };
  const changeNetwork = async (wish: object) => {
    const { version } = await read();
    const now = { ...ask, version, network: { ...network, ...wish } };
    expect(await owner.call('apps.change-network', now)).toMatchObject({ status: 200 });
  };
  await changeNetwork({});
  expect((await about()).map(({ recipient, kind }) => [recipient, kind])).toEqual([
    [owner.email, 'sources-changed'],
    [admin.email, 'sources-changed'],
  ]);
  await changeNetwork({ allowed_ranges: ['127.0.0.1', '203.0.113.7'], min_operable_usd: '5' });
  expect(await about()).toEqual([]);
});

it('mails those who administer a merchant, and the person, about another role and a removal', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const admin = await dashboard.addPerson({ role: 'admin' });
  const finance = await dashboard.addPerson({ role: 'finance' });
  const here = [owner, admin, finance].map(({ email }) => email);
  await mailed();
  const about = async () => (await mailed()).filter(({ recipient }) => here.includes(recipient));
  const person = { merchant_id: 'mer_1', person_id: finance.personId };
  await owner.call('team.change-role', { ...person, role_before: 'finance', role: 'viewer' });
  const roles = await about();
  expect(new Set(roles.map(({ recipient }) => recipient))).toEqual(new Set(here));
  for (const { kind, text } of roles) {
    expect(kind).toBe('role-changed');
    expect(text).toContain(`the role of ${finance.email}`);
    expect(text).toContain('It is now: viewer.');
  }
  // hits mark: an-address-is-for-who-administers
  const knowing = roles.filter(({ text }) => text.includes('127.0.0.1')).map(({ recipient }) => recipient);
  expect(new Set(knowing)).toEqual(new Set([owner.email, admin.email]));
  await owner.call('team.remove', { merchant_id: 'mer_1', person_id: admin.personId });
  const removed = await about();
  expect(new Set(removed.map(({ recipient }) => recipient))).toEqual(new Set([owner.email, admin.email]));
  expect(removed[0]?.text).toContain(`took ${admin.email} off`);
  const { text = '' } = removed.find(({ recipient }) => recipient === admin.email) ?? {};
  expect(text).not.toContain('127.0.0.1');
});

it('mails those who administer a merchant that somebody joined it, and not who joins', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const finance = await dashboard.addPerson({ role: 'finance' });
  const known = await dashboard.addPerson({});
  const here = new Set([owner.email, finance.email, known.email, 'eve@example.test']);
  const join = async (email: string, accept: (token: string) => Promise<unknown>) => {
    const invite = { merchant_id: 'mer_1', email, role: 'admin' } as const;
    const { invitation_url: url } = (await owner.call('team.invite', invite))
      .body as ResponseOf<'team.invite'>;
    await mailed();
    await accept(url.split('#')[1] ?? '');
    return (await mailed()).filter(({ recipient }) => here.has(recipient));
  };
  const password = 'a long and winding road';
  const fresh = await join('eve@example.test', async (token) =>
    dashboard.visitor().call('invitation.accept', { token, name: 'Eve', password }),
  );
  expect(fresh).toMatchObject([{ recipient: owner.email, kind: 'member-joined' }]);
  expect(fresh[0]?.text).toContain('eve@example.test accepted an invitation');
  expect(fresh[0]?.text).toContain('The role: admin.');
  expect(fresh[0]?.text).toContain('127.0.0.1');
  const further = await join(known.email, async (token) => known.call('invitation.join', { token }));
  expect(new Set(further.map(({ recipient }) => recipient))).toEqual(
    new Set([owner.email, 'eve@example.test']),
  );
});
