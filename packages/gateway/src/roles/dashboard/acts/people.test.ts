// What a person does about a team and their own account, each act by the words on the page: what the page and the gateway say.
import { TEST_PASSWORD } from '@ducat/testkit/api/test-dashboard';
import { type Acting, startActing } from '@ducat/testkit/browser/acting';
import { addPasskeyDevice } from '@ducat/testkit/browser/passkey-device';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const ADA = 'ada@example.test';
const NEW_PASSWORD = 'a long and winding road';
const mine = { merchant_id: 'mer_1' };

let acting: Acting;
beforeAll(async () => {
  acting = await startActing(inject('postgresAdminUrl'), 'owner');
});
afterAll(() => acting?.close());

const roleOf = async (personId: string) =>
  (await acting.row('SELECT role FROM memberships WHERE person_id = $1', personId))?.['role'] ?? null;

describe('the team', () => {
  it('has a member whose role is changed, who may do as much from then on', async () => {
    const { person, shop } = acting;
    const { finance } = shop;
    const wish = {
      ...mine,
      app_id: shop.api.payment.appId,
      currency_id: 1001,
      amount: '1',
      to_address: '0x',
    };
    const status = async () => (await finance.send('payouts.quote', wish)).status;
    expect(await status()).toBe(400);
    await person.go('/m/mer_1/team');
    await person.press('Change role: Person 2');
    await person.pick('viewer');
    await person.heading('Change role');
    await person.waitFor('Sees, and changes nothing.');
    expect(await person.findings()).toEqual([]);
    await person.confirm('Make Person 2 viewer');
    await person.waitFor('Person 2 is now viewer.');
    await person.row('Person 2').getByText('viewer', { exact: true }).waitFor();
    expect(await roleOf(finance.personId)).toBe('viewer');
    expect(await status()).toBe(403);
  });

  it('has an invitation that is withdrawn', async () => {
    const { person, shop } = acting;
    await shop.ask('team.invite', { ...mine, email: 'dana@example.test', role: 'developer' });
    await person.reload();
    await person.row('dana@example.test').getByRole('button', { name: 'Withdraw' }).click();
    await person.waitFor('The link no longer works.');
    await person.row('dana@example.test').waitFor({ state: 'detached' });
    expect((await shop.ask('team.list', mine)).invitations).toEqual([]);
  });

  it('has a member who is removed, and sees the merchant no more', async () => {
    const { person, shop } = acting;
    const { finance } = shop;
    await person.press('Change role: Person 2');
    await person.pick('Remove from the team');
    await person.heading('Remove Person 2?');
    await person.confirm('Remove Person 2');
    await person.waitFor('Person 2 was removed.');
    await person.row('Person 2').waitFor({ state: 'detached' });
    expect(await roleOf(finance.personId)).toBeNull();
    expect(await finance.call('orders.list', mine)).toMatchObject({ status: 404 });
  });
});

/** The status of a sign-in of Ada from elsewhere, and the cookie of what it began. */
async function signInElsewhere(password: string) {
  const { url } = acting.dashboard;
  const response = await fetch(`${url}/api/session.sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'user-agent': 'Firefox/140 Linux' },
    body: JSON.stringify({ email: ADA, password }),
  });
  await response.text();
  return { status: response.status, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** Signed in from elsewhere, as far as the list of sessions knows. */
async function beginSession(): Promise<void> {
  expect(await signInElsewhere(TEST_PASSWORD)).toMatchObject({ status: 200 });
  await acting.write(
    "UPDATE dashboard_sessions SET stage = 'signed-in' WHERE person_id = $1",
    acting.personId,
  );
}
const sessionsNow = async () =>
  (
    await acting.row(
      'SELECT count(*)::integer AS n FROM dashboard_sessions WHERE person_id = $1',
      acting.personId,
    )
  )?.['n'];

describe('the account of a person', () => {
  it('shows where else it is signed in, and ends that', async () => {
    const { person } = acting;
    await beginSession();
    await person.go('/account');
    await person.row('Firefox · Linux').getByRole('button', { name: 'End session' }).click();
    await person.waitFor('Session ended.');
    await person.row('Firefox · Linux').waitFor({ state: 'detached' });
    expect(await sessionsNow()).toBe(1);
    await beginSession();
    await beginSession();
    await person.reload();
    await person.press('End all others');
    await person.waitFor('Ended 2 sessions.');
    expect(await sessionsNow()).toBe(1);
  });

  it('gets a new password, and the old one ends with all other sessions', async () => {
    const { person } = acting;
    await beginSession();
    await person.type('Password now', 'not this one, surely');
    await person.type('New password', NEW_PASSWORD);
    await person.press('Change password');
    await person.page.getByRole('alert').first().waitFor();
    expect(await sessionsNow()).toBe(2);
    await person.type('Password now', TEST_PASSWORD);
    await person.type('New password', NEW_PASSWORD);
    await person.press('Change password');
    await person.waitFor('Password changed. Your other sessions have ended.');
    expect(await sessionsNow()).toBe(1);
    expect((await signInElsewhere(TEST_PASSWORD)).status).toBe(400);
    expect((await signInElsewhere(NEW_PASSWORD)).status).toBe(200);
  });

  it('gets a second factor with recovery codes, and others in their place', async () => {
    const { person } = acting;
    const digests = () =>
      acting.row('SELECT min(code_hash) AS least FROM recovery_codes WHERE person_id = $1', acting.personId);
    const before = await digests();
    await person.enrol('Set up authenticator');
    await person.heading('Keep these recovery codes');
    expect(await person.findings()).toEqual([]);
    await person.confirm('Close');
    const first = await digests();
    expect(first).not.toEqual(before);
    // The page knows of it without being loaded anew.
    await person.press('Make new recovery codes');
    await person.heading('Keep these recovery codes');
    expect(await digests()).not.toEqual(first);
    await person.confirm('Close');
  });

  it('gets a passkey, which is called otherwise and taken away', async () => {
    const { person } = acting;
    const names = () => acting.row('SELECT name FROM passkeys WHERE person_id = $1', acting.personId);
    await addPasskeyDevice(person.page);
    await person.press('Add passkey');
    await person.type('Name', 'Laptop');
    await person.confirm('Add passkey');
    const passkey = (name: string) => person.row(name).getByRole('button');
    await passkey('Laptop').filter({ hasText: 'Rename' }).click();
    await person.type('Name', 'Old laptop');
    await person.confirm('Rename');
    await person.row('Old laptop').waitFor();
    expect(await names()).toEqual({ name: 'Old laptop' });
    await passkey('Old laptop').filter({ hasText: 'Remove' }).click();
    await person.heading('Remove Old laptop?');
    await person.confirm('Remove');
    await person.waitFor('Old laptop was removed.');
    await person.row('Old laptop').waitFor({ state: 'detached' });
    expect(await names()).toBeNull();
  });

  it('speaks another language, and is written to in it', async () => {
    const { person } = acting;
    await person.press('Ada Okafor');
    await person.pick('Language');
    await person.heading('Language');
    expect(await person.findings()).toEqual([]);
    await person.press('Deutsch');
    await person.page.locator('html[lang="de"]').waitFor();
    await expect
      .poll(() => acting.row('SELECT language FROM people WHERE person_id = $1', acting.personId))
      .toEqual({ language: 'de' });
    expect(acting.shop.api.bugs).toEqual([]);
    // The password that was wrong.
    expect(person.complaints.filter((each) => !each.includes('400'))).toEqual([]);
  });
});
