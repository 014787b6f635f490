// The docs site in a real browser: it signs as the vectors say, keeps no key, searches, reads on a phone and without scripts.
import { endpoints } from '@ducat/contract/endpoints/registry';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { axeFindings } from '@ducat/testkit/browser/axe-findings';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage } from '@ducat/testkit/browser/payer-page';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtDocs } from './docs-files.ts';
import { mountDocs } from './mount-docs.ts';

let app: FastifyInstance;
let url = '';
beforeAll(async () => {
  app = Fastify();
  mountDocs(app, { folder: builtDocs, publicUrl: 'https://api.test', faucetUrl: '' });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

type Payer = Awaited<ReturnType<typeof openPayerPage>>;
type Context = NonNullable<NonNullable<Parameters<typeof openPayerPage>[1]>['context']>;

/** Fails where a script fails or the policy of the page refuses something. */
async function look(context: Context, work: (page: Payer['page']) => Promise<void>): Promise<void> {
  const opened = await openPayerPage(await openBrowser(), { context });
  try {
    await work(opened.page);
    expect(opened.complaints).toEqual([]);
  } finally {
    await opened.close();
  }
}

const WIDE = { viewport: { width: 1440, height: 900 } };

describe('the docs in a browser', () => {
  it('sign what was typed, show the very text, and never show or keep the key', () =>
    look(WIDE, async (page) => {
      const appKey = signatureVectors[0]?.appKey ?? '';
      await page.goto(`${url}/docs/api/create-order`);
      await page.getByLabel('AppId').fill('app_1');
      await page.getByLabel('AppKey', { exact: true }).fill(appKey);
      await page.getByRole('button', { name: 'Sign', exact: true }).click();
      await page.locator('[data-sample="curl"] code').filter({ hasText: 'X-Appid: app_1' }).waitFor();
      const text = (await page.locator('.signed .part-body').textContent()) ?? '';
      expect(JSON.parse(text)).toEqual(endpoints['create-order'].exampleRequest);
      expect(await page.locator('body').innerText()).not.toContain(appKey);
      await page.getByLabel('show the AppKey').check();
      expect(await page.locator('.signed').textContent()).toContain(appKey);
      expect(
        await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
      ).toBe('[{},{},""]');
      expect(await axeFindings(page)).toEqual([]);
      await page.goto(`${url}/docs/api/test-vectors`);
      await page
        .locator('.verdict.good')
        .nth(signatureVectors.length - 1)
        .waitFor();
      await page.goBack();
      expect(await page.getByLabel('AppKey', { exact: true }).inputValue()).toBe('');
    }));

  it('find a heading by its words and lead to it', () =>
    look(WIDE, async (page) => {
      await page.goto(`${url}/docs`);
      await page.keyboard.press('/');
      await page.keyboard.type('verif php');
      await page.locator('#found a').first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/integrate/webhooks#verify-php');
    }));

  it('read on a phone in the dark, without a script too', async () => {
    await look({ colorScheme: 'dark', javaScriptEnabled: false }, async (page) => {
      await page.goto(`${url}/docs/api/create-order`);
      await page.getByText('Node.js', { exact: true }).and(page.locator('label')).click();
      expect(await page.locator('[data-sample="node"]').isVisible()).toBe(true);
      expect(await page.locator('.sign').isVisible()).toBe(false);
    });
    await look({ colorScheme: 'dark' }, async (page) => {
      for (const path of [
        '',
        '/integrate/webhooks',
        '/api/create-order',
        '/api/codes',
        '/operate/configuration',
      ]) {
        await page.goto(`${url}/docs${path}`);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          path,
        ).toBeLessThanOrEqual(0);
      }
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'order/detail' }).click();
      await page.waitForURL('**/docs/api/order-detail');
    });
  });
});
