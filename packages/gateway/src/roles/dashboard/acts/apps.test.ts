// What a merchant's person sets about apps, webhooks and QR codes, each by the words on the page, and what the gateway does then.
import { type Acting, startActing } from '@ducat/testkit/browser/acting';
import { transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addressSchemes } from '../../../chains/address-schemes.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const mine = { merchant_id: 'mer_1' };
/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let acting: Acting;
let appId = '';
beforeAll(async () => {
  acting = await startActing(inject('postgresAdminUrl'), 'owner');
  ({ appId } = acting.shop.api.payment);
  await acting.shop.orderPaid('1042', '25.5', 25_500_000n);
});
afterAll(() => acting?.close());

const appNow = async () => (await acting.shop.ask('apps.read', { ...mine, app_id: appId })).app;

/** What a page shows of a second for a field of local time, rounded down to its minute. */
function localText(ms: number): string {
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 16);
}

describe('the webhooks of an app', () => {
  it('go to another address, to which a test event is sent', async () => {
    const { person } = acting;
    await person.go(`/m/mer_1/apps/${appId}`);
    await person.type('Address', 'http://127.0.0.1/hook');
    await person.press('Save address');
    await person.page.getByRole('alert').waitFor();
    expect((await appNow()).callback_url).toBe('https://shop.test/hook');
    await person.type('Address', 'https://shop.test/other');
    await person.press('Save address');
    await person.waitFor('Saved.');
    expect((await appNow()).callback_url).toBe('https://shop.test/other');
    await person.press('Send test event');
    await person.waitFor('A test event is on its way. See Webhooks.');
    const event = await acting.row("SELECT url, state FROM events WHERE trade_no LIKE 'test\\_%'");
    expect(event).toEqual({ url: 'https://shop.test/other', state: 'pending' });
  });

  it('are sent again for a span of time, those that were given up and no others', async () => {
    const { person, shop } = acting;
    const nowMs = shop.api.world.nowMs();
    await shop.ask('apps.send-test-event', { ...mine, app_id: appId });
    await acting.write(
      "UPDATE events SET state = 'dead', next_attempt_at_ms = NULL WHERE trade_no LIKE 'test\\_%'",
    );
    const deadNow = async () =>
      (await acting.row("SELECT count(*)::integer AS n FROM events WHERE state = 'dead'"))?.['n'];
    expect(await deadNow()).toBe(2);
    await person.go('/m/mer_1/webhooks');
    const resend = async (from: number, to: number) => {
      await person.press('Send a time span again');
      await person.type('From', localText(from));
      await person.type('Until', localText(to));
      await person.confirm('Send again');
    };
    await resend(nowMs - 7_200_000, nowMs - 3_600_000);
    await person.waitFor('0 events are sent again.');
    expect(await deadNow()).toBe(2);
    await person.press('Send a time span again');
    await person.heading('Send events of a time span again');
    expect(await person.findings()).toEqual([]);
    await person.page.keyboard.press('Escape');
    await resend(nowMs - 3_600_000, nowMs + 60_000);
    await person.waitFor('2 events are sent again.');
    expect(await deadNow()).toBe(0);
  });
});

describe('the address list of an app', () => {
  const refusal = async () => {
    const wish = { ...mine, app_id: appId, currency_id: 1001, amount: '1', to_address: TO };
    return (await acting.shop.ask('payouts.quote', wish)).refusal?.code ?? null;
  };

  it('holds payouts to its addresses, each once it has cooled', async () => {
    const { person, shop } = acting;
    await person.go(`/m/mer_1/apps/${appId}?tab=payouts`);
    await person.check('Pay out only to addresses of the list');
    await person.type('Cooling time, hours', '0.5');
    await person.press('Save rules');
    await person.waitFor('Saved.');
    expect(await refusal()).not.toBeNull();
    await person.press('Add address');
    await person.type('Whose', 'Tea supplier');
    await person.type('Address', TO);
    await person.confirm('Add');
    await person.waitFor('Added. It cools first.');
    await person.row('Tea supplier').getByText('Cools until').waitFor();
    expect(await refusal()).not.toBeNull();
    shop.api.world.advance(31 * 60_000);
    await person.reload();
    await person.row('Tea supplier').getByText('Usable').waitFor();
    expect(await refusal()).toBeNull();
  });

  it('lets an address go', async () => {
    const { person } = acting;
    await acting.write(
      'UPDATE dashboard_sessions SET step_up_until_ms = $1',
      acting.shop.api.world.nowMs() + 300_000,
    );
    await person.row('Tea supplier').getByRole('button', { name: 'Remove' }).click();
    await person.waitFor('Removed. Added again, it cools anew.');
    await person.waitFor('No address yet');
    expect(await refusal()).not.toBeNull();
    expect(await acting.row('SELECT 1 FROM payout_addresses')).toBeNull();
  });
});

describe('a QR code', () => {
  it('is printed, disabled, which takes no webhooks, and enabled again', async () => {
    const { person, shop } = acting;
    const counter = await shop.api.addApp('QR_CODE');
    await acting.write(
      "UPDATE apps SET callback_url = 'https://shop.test/qr' WHERE app_id = $1",
      counter.appId,
    );
    const wish = { ...mine, app_id: counter.appId, currency_id: 1001, amount: '0', name: 'Counter' };
    const { qr_code: code } = await shop.ask('qr-codes.create', {
      ...wish,
      request_id: 'click-0000000000001',
    });
    const codeNow = () => shop.ask('qr-codes.read', { ...mine, qr_code_id: code.qr_code_id });
    await person.page.addInitScript("window.print = () => { window.name = 'printed'; }");
    await person.go(`/m/mer_1/qr-codes/${code.qr_code_id}`);
    await person.press('Print sheet');
    expect(await person.page.evaluate('window.name')).toBe('printed');
    await person.page.emulateMedia({ media: 'print' });
    expect(await person.page.getByRole('img', { name: 'QR code of Counter' }).isVisible()).toBe(true);
    expect(await person.page.getByRole('button', { name: 'Print sheet' }).isVisible()).toBe(false);
    await person.page.emulateMedia({ media: 'screen' });

    await person.press('Disable');
    await person.waitFor('Disabled. What still comes is credited, and no webhook is sent.');
    await person.waitFor('Printed copies of Counter still work');
    expect((await codeNow()).qr_code.disabled_time).not.toBeNull();
    shop.api.world.advance(60_000);
    const to = addressSchemes.evm.canonical(code.address) ?? '';
    await shop.bookFinal((block) => [transferTo(to, block, { units: 3_000_000n, txId: '0xqr' })]);
    await person.reload();
    await person.row('after it was disabled').waitFor();
    expect(await acting.row('SELECT url, state FROM events WHERE app_id = $1', counter.appId)).toEqual({
      url: null,
      state: 'unsent',
    });

    await person.press('Enable');
    await person.waitFor('The code is in use again.');
    expect((await codeNow()).qr_code).toMatchObject({ disabled_time: null, collected: '3' });
  });
});

describe('the payment page of an app', () => {
  it('has a colour, a contact and frames of its own', async () => {
    const { person } = acting;
    await person.go(`/m/mer_1/apps/${appId}?tab=checkout`);
    await person.type('Colour (optional)', '#0B6638');
    await person.type('Contact (optional)', 'help@shop.test');
    await person.type('May be framed by (optional)', 'https://shop.test https://www.shop.test');
    await person.check('Test app');
    await person.press('Save settings');
    await person.waitFor('Saved.');
    expect((await appNow()).page).toEqual({
      accent: '#0b6638',
      contact: 'help@shop.test',
      frame_origins: ['https://shop.test', 'https://www.shop.test'],
      is_test: true,
    });
  });

  it('says at the field what is wrong with it', async () => {
    const { person } = acting;
    const invalid = () => person.page.locator('[aria-invalid=true]');
    for (const [label, text] of [
      ['Contact (optional)', 'javascript:alert(1)'],
      ['May be framed by (optional)', 'shop.test'],
    ] as const) {
      await person.go(`/m/mer_1/apps/${appId}?tab=checkout`);
      await person.type(label, text);
      await person.press('Save settings');
      await person.page.getByLabel(label).and(invalid()).waitFor();
      expect(await invalid().count()).toBe(1);
    }
  });

  it('leaves its currencies alone where the list of them is away', async () => {
    const { person } = acting;
    const before = await appNow();
    const off = { ...mine, app_id: appId, version: before.version, currencies_off: [1000, 2000] };
    await acting.shop.ask('apps.change', off);
    await person.page.route('**/api/currencies.list', (route) => route.abort());
    await person.go(`/m/mer_1/apps/${appId}?tab=checkout`);
    await person.waitFor('The server does not answer.');
    await person.type('Colour (optional)', '#112233');
    await person.press('Save settings');
    await person.waitFor('Saved.');
    expect(new Set((await appNow()).currencies_off)).toEqual(new Set([1000, 2000]));
    await person.page.unroute('**/api/currencies.list');
    await acting.shop.ask('apps.change', {
      ...off,
      version: (await appNow()).version,
      currencies_off: [...before.currencies_off],
    });
    await person.go(`/m/mer_1/apps/${appId}?tab=checkout`);
  });

  it('has a logo, until it is taken away', async () => {
    const { person } = acting;
    const pick = (name: string, buffer: Buffer) =>
      person.page.getByLabel('Picture').setInputFiles({ name, mimeType: 'image/png', buffer });
    await pick('large.png', Buffer.alloc(65_537));
    await person.waitFor('This picture is larger than 64 kB.');
    await pick('no-picture.png', Buffer.from('<svg/>'));
    await person.press('Save logo');
    await person.waitFor('logo is neither a PNG nor a JPEG nor a WebP picture');
    expect((await appNow()).logo_digest).toBeNull();
    await pick('logo.png', PNG);
    await person.press('Save logo');
    await person.waitFor('Your logo stands beside the name.');
    expect((await appNow()).logo_digest).not.toBeNull();
    await person.press('Remove logo');
    await person.waitFor('The first letter of the name stands there.');
    expect((await appNow()).logo_digest).toBeNull();
  });
});

describe('the security of an app', () => {
  it('answers addresses of its list alone, and moves what is worth it', async () => {
    const { person } = acting;
    await person.go(`/m/mer_1/apps/${appId}?tab=security`);
    const ranges = 'Addresses that may use the API (optional)';
    await person.type(ranges, '203.0.113.0/99');
    await person.press('Save network settings');
    await person.page.getByRole('alert').waitFor();
    expect((await appNow()).network.allowed_ranges).toEqual([]);
    await person.type(ranges, '203.0.113.0/24');
    await person.type('Minimum operable value, USD (optional)', '25');
    await person.press('Save network settings');
    await person.waitFor('Saved.');
    expect((await appNow()).network).toEqual({ allowed_ranges: ['203.0.113.0/24'], min_operable_usd: '25' });
    expect(
      await acting.row('SELECT min_operable_value::text AS least FROM apps WHERE app_id = $1', appId),
    ).toEqual({ least: expect.stringMatching(/^25/) });
  });

  it('ends with the app, which nobody of the merchant switches on again', async () => {
    const { person, shop } = acting;
    await person.press('Switch off');
    await person.heading('Switch Shop off?');
    await person.confirm('Switch app off');
    await person.waitFor('This app is switched off: its AppKey works no more');
    expect(await person.page.getByRole('button', { name: 'Switch on' }).count()).toBe(0);
    const app = await appNow();
    expect(app.enabled).toBe(false);
    const again = { ...mine, app_id: appId, version: app.version, enabled: true };
    expect(await shop.owner.call('apps.change', again)).toMatchObject({ status: 409 });
    expect(shop.api.bugs).toEqual([]);
    // The settings that were refused and the list that was away, which the browser notes.
    expect(person.complaints.filter((each) => !/400|ERR_FAILED/.test(each))).toEqual([]);
  });
});
