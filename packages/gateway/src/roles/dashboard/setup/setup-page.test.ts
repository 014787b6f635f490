// The set-up in a real browser: from the link of the log to a first payment that turns green.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type Look, screenFindings, takePicture } from '@ducat/testkit/browser/screen-look';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { transferTo } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addressSchemes } from '../../../chains/address-schemes.ts';
import { openSetup } from '../../../compose/dashboard/open-setup.ts';

let shop: DashboardShop;
let faucet: Server;
let dashboard: ServedDashboard;
let visit: PayerPage;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  // As a gateway is before its first person: what the shop of the test has is taken away.
  await shop.api.database.transact(async (tx) => {
    await tx.write('SET LOCAL session_replication_role = replica', []);
    await tx.write('TRUNCATE merchants, people CASCADE', []);
  });
  faucet = payingFaucet();
  await new Promise<void>((resolve) => faucet.listen(0, '127.0.0.1', resolve));
  // Listening on TCP gives an address with a port.
  const { port } = faucet.address() as AddressInfo;
  dashboard = await serveDashboard(shop.api, { faucetUrl: `http://127.0.0.1:${port}/` });
  const context = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;
  visit = await openPayerPage(await openBrowser(), { context });
});
afterAll(async () => {
  await visit?.close();
  await dashboard?.close();
  faucet?.closeAllConnections();
  await new Promise((resolve) => (faucet === undefined ? resolve(null) : faucet.close(resolve)));
  await shop?.close();
});

/** Pays by a block that is final at once. */
function payingFaucet(): Server {
  return createServer((request, response) => {
    response.setHeader('access-control-allow-origin', dashboard.url);
    response.setHeader('access-control-allow-headers', 'content-type');
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      if (request.method === 'OPTIONS') response.end();
      else void pay(body).then(() => response.end('{"txid":""}'));
    });
  });
}

async function pay(body: string): Promise<void> {
  const { to = '' } = JSON.parse(body) as { to?: string };
  const address = addressSchemes.evm.canonical(to) ?? '';
  await shop.bookFinal((block) => [transferTo(address, block, { units: 1_000_000n })]);
}

async function look(screen: string, as: Look): Promise<void> {
  expect(await screenFindings(visit.page), screen).toEqual([]);
  await takePicture(visit.page, screen, as);
}

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const type = (label: string, text: string) => visit.page.getByLabel(label, { exact: true }).fill(text);

it('leads from the link to a paid order, each step once', async () => {
  const { page, complaints } = visit;
  const { transact } = shop.api.database;
  const link = await openSetup({ transact, world: shop.api.world, url: dashboard.url, isDemo: false });
  await page.goto(link?.url ?? '');
  await page.getByText('The signer answers.').waitFor();
  await look('setup-link', ['light', 390, 760]);
  await type('E-mail', 'ada@example.test');
  await type('Your name', 'Ada');
  await type('Choose a password', 'a long and winding road');
  const begun = page.waitForResponse('**/api/totp.begin');
  await button('Create account').click();
  const { secret } = (await (await begun).json()) as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await type('The code that the app shows now', totp.generate({ timestamp: shop.api.world.nowMs() }));
  await button('Turn on').click();
  await button('I have kept them').click();
  await page.getByRole('heading', { name: 'Set-up', exact: true }).waitFor();

  // Left here, and found again on the overview.
  await page.goto(`${dashboard.url}/operator`);
  await page.getByRole('link', { name: 'Go on' }).click();
  await type('Name', 'Northwind Tea');
  await button('Create merchant').click();
  await button('Create and show key').waitFor();
  await type('Name', 'Web shop');
  await button('Create and show key').click();
  await button('I have kept it').click();
  await button('Place and pay an order').click();
  await page.getByText('Everything is set up.').waitFor();
  await page.setViewportSize({ width: 1_280, height: 1_200 });
  await look('setup', ['dark', 1_000, 1_280]);
  expect(await page.getByText('To do').count()).toBe(0);

  // The next merchant belongs to another person.
  await page.goto(`${dashboard.url}/operator/merchants`);
  await button('New merchant').click();
  await type('Name', 'Southwind Tea');
  await type('E-mail of its owner (optional)', 'bob@example.test');
  await button('Create merchant').click();
  await page.getByText('A mail with this link goes to bob@example.test.').waitFor();

  await page.goto('about:blank');
  await page.goto(link?.url ?? '');
  await page.getByText('This link no longer works').waitFor();
  // The link that is over, which Chromium notes.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  expect(shop.api.bugs).toEqual([]);
});
