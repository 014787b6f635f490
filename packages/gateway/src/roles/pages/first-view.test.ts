// What a payment page loads at first, and who may frame it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage } from '@ducat/testkit/browser/payer-page';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { startTestPages, type TestPages } from '@ducat/testkit/api/test-pages';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let api: TestApi;
let pages: TestPages;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  pages = await startTestPages(api);
});
afterAll(async () => {
  await pages?.close();
  await api?.close();
});

describe('the first view', () => {
  it('costs at most 60 kB of script and style for the first view', async () => {
    const html = await (await fetch(`${pages.url}/${await pages.preCreate()}`)).text();
    const files = [...html.matchAll(/(?:src|href)="\/pay(\/assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, file]) => file,
    );
    const sizes = files.map(async (file) =>
      gzipSync(new Uint8Array(await (await fetch(`${pages.url}${file}`)).arrayBuffer())),
    );
    const bytes = (await Promise.all(sizes)).reduce((sum, { length }) => sum + length, 0);
    expect(files).toHaveLength(2);
    expect(bytes).toBeLessThan(60_000);
  });

  it('opens in the frame of a site that the merchant names, says its state there, and in no other', async () => {
    const tradeNo = await pages.preCreate({ currency_id: 1001 });
    const shop = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<script src="${pages.url}/assets/ducat.js"></script><p id="state">none</p>`);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const { port } = shop.address() as AddressInfo;
    const name = (origins: string[]) =>
      api.database.transact((tx) =>
        tx.write(
          `INSERT INTO checkout_pages (app_id, frame_origins) VALUES ($1, $2::text[])
           ON CONFLICT (app_id) DO UPDATE SET frame_origins = excluded.frame_origins`,
          [api.payment.appId, origins],
        ),
      );
    const script = `Ducat.open('${tradeNo}', (state) => { document.getElementById('state').textContent = state })`;
    const payer = await openPayerPage(await openBrowser());
    const { page } = payer;
    await name([`http://127.0.0.1:${port}`]);
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate(script);
    await page.getByText('waiting', { exact: true }).waitFor();
    await page.frameLocator('iframe').getByText('Waiting for your payment').first().waitFor();
    expect(payer.complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
    await name(['https://other.example']);
    await page.goto(`http://127.0.0.1:${port}/?again`);
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.evaluate(script);
    await refused;
    expect(await page.locator('#state').textContent()).toBe('none');
    await payer.close();
    shop.closeAllConnections();
    await new Promise((resolve) => shop.close(resolve));
  });
});
