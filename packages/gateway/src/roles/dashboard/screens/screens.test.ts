// Every screen of the dashboard in a real browser, wide, dark and on a phone: no rule of axe is broken, nothing is wider
// than the window, no script fails, and the policy of the page refuses nothing.
import { readFileSync } from 'node:fs';
import { lendArabicFont } from '@ducat/testkit/browser/arabic-font';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import {
  allForms,
  type Form,
  formFindings,
  leaveScreen,
  screenIsThere,
  takeForm,
  walkTo,
} from '@ducat/testkit/screens/screen-forms';
import { shownDeps } from '@ducat/testkit/screens/shown-deps';
import { ScreenSheet } from '@ducat/testkit/screens/screen-sheet';
import {
  arabic,
  dialogs,
  emptyScreens,
  type Screen,
  screens,
  type Visitor,
} from '@ducat/testkit/screens/screen-table';
import { type ShownShop, startShownShop } from '@ducat/testkit/screens/shown-shop';
import { walledReader } from '../../../db/tables/access/walls.ts';
import { walledTables } from '../../../db/tables/access/walled-tables.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let shown: ShownShop;
let dashboard: ServedDashboard;
const visits = new Map<Visitor, PayerPage>();
beforeAll(async () => {
  shown = await startShownShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shown.shop.api, shownDeps(shown.shop));
});
afterAll(async () => {
  for (const visit of visits.values()) await visit.close();
  await dashboard?.close();
  await shown?.shop.close();
});

/** The page of this visitor, which stays open. */
async function visitOf(who: Visitor): Promise<PayerPage> {
  const open = visits.get(who);
  if (open !== undefined) return open;
  const visit = await openPayerPage(await openBrowser(), { context: { reducedMotion: 'reduce' } });
  visits.set(who, visit);
  await visit.page.clock.setFixedTime(shown.shop.api.world.nowMs());
  if (who === 'nobody') return visit;
  const cookie = { name: 'ducat-session', value: shown.tokens[who], url: dashboard.url };
  await visit.page.context().addCookies([cookie]);
  await visit.page.goto(`${dashboard.url}/account`);
  await screenIsThere(visit.page);
  return visit;
}

async function open({ who, path, act }: Screen, form: Form): Promise<PayerPage> {
  const visit = await visitOf(who);
  const { page } = visit;
  await takeForm(page, form);
  if (path !== null) {
    if (who !== 'nobody') await walkTo(page, path(shown));
    else {
      await page.context().clearCookies();
      await page.goto('about:blank');
      await page.goto(dashboard.url + path(shown));
    }
  }
  await screenIsThere(page);
  await act?.(page, shown);
  return visit;
}

function theOrders(): Screen {
  const found = screens.find(({ name }) => name === 'orders');
  if (found === undefined) throw new Error('the list of orders is in the table');
  return found;
}

async function look(screen: Screen, forms: readonly [Form, ...Form[]]): Promise<void> {
  const { page, complaints } = await open(screen, forms[0]);
  const found: string[] = [];
  const sheet = new ScreenSheet(screen.name);
  for (const form of forms) {
    const findings = await formFindings(page, form, forms.length === 1 ? null : undefined);
    found.push(...findings.map((finding) => `${form}: ${finding}`));
    await sheet.add(form, page);
  }
  await sheet.write(await openBrowser());
  expect(await page.getByText('This could not be loaded').count()).toBe(0);
  const noted = complaints.splice(0).filter((each) => !each.includes(screen.refusal ?? 'nothing is refused'));
  expect([...found, ...noted]).toEqual([]);
}

describe('the second wall, around every table that pages of merchants read', () => {
  const rowsOf = async (reader: Reader, table: string) => {
    const rows = await reader.read<{ at: string }>(
      `SELECT tableoid::text || ctid::text AS at FROM ${table}`,
      [],
    );
    return rows.map(({ at }) => at);
  };

  const sharedRows = new Set(['people', 'entries']);

  it('shows nothing to a merchant that is not there, and no row to two merchants', async () => {
    const { reader, transact } = shown.shop.api.database;
    const merchants = await reader.read<{ id: string }>('SELECT merchant_id AS id FROM merchants', []);
    const filled: string[] = [];
    for (const table of Object.keys(walledTables)) {
      if ((await rowsOf(reader, table)).length > 0) filled.push(table);
      expect([table, await rowsOf(walledReader(transact, 'mer_nowhere'), table)]).toEqual([table, []]);
      // A person may be a member of several merchants. An entry of the books may move what two of them own.
      if (sharedRows.has(table)) continue;
      const seen: string[] = [];
      for (const { id } of merchants) seen.push(...(await rowsOf(walledReader(transact, id), table)));
      expect([table, seen.length]).toEqual([table, new Set(seen).size]);
    }
    expect(merchants.length).toBeGreaterThan(1);
    expect(filled.length).toBeGreaterThan(25);
  });
});

describe('every screen, wide, dark and on a phone', () => {
  it('is in the table: no address of the dashboard is left out', () => {
    const routes = routesOf(readFileSync(ROUTES, 'utf8'));
    const shownRoutes = screens.flatMap(({ route }) => (route === null ? [] : [route]));
    expect(routes.length).toBeGreaterThan(30);
    expect([...shownRoutes].sort()).toEqual([...routes].sort());
  });

  it.each(screens)('$name', async (screen) => {
    await look(screen, allForms);
  });
});

describe('a merchant that has nothing yet, on a phone', () => {
  it.each(emptyScreens)('$name', async (screen) => {
    await look(screen, ['phone']);
  });
});

describe('every dialog, on a phone', () => {
  it.each(dialogs)('$name', async (dialog) => {
    await look(dialog, ['phone']);
    const { page } = await visitOf(dialog.who);
    // One that was opened from the menu of a phone leads back to the menu: each key closes the uppermost.
    const opened = page.locator('[role="dialog"]');
    for (let left = (await opened.count()) - 1; left >= 0; left -= 1) {
      await page.keyboard.press('Escape');
      await expect.poll(() => opened.count()).toBe(left);
    }
  });
});

describe('the rows of a list', () => {
  it('are links, which keys walk', async () => {
    const { page } = await open(theOrders(), 'wide');
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")');
    const links = await page
      .locator('tbody a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(links.length).toBeGreaterThan(3);
    await page.evaluate('document.activeElement.blur()');
    const walk = [
      ['j', 0],
      ['j', 1],
      ['ArrowDown', 2],
      ['k', 1],
      ['End', links.length - 1],
      ['Home', 0],
      ['ArrowUp', 0],
    ] as const;
    for (const [key, place] of walk) {
      await page.keyboard.press(key);
      expect([key, await focused()]).toEqual([key, links[place]]);
    }
    await leaveScreen(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links[0]}`);
    await screenIsThere(page);
  });
});

describe('block explorers', () => {
  it('are led to from the transactions and addresses of an order, and learn nothing of where that was', async () => {
    const order = screens.find(({ name }) => name === 'order');
    if (order === undefined) throw new Error('the story of an order is in the table');
    // The test before ends at an order, whose heading would stay.
    const { page } = await open(theOrders(), 'wide');
    await open(order, 'wide');
    const links = page.locator('main a[href^="https://etherscan.io/"]');
    const found = await links.evaluateAll((all) =>
      all.map((each) => ['href', 'target', 'rel'].map((name) => each.getAttribute(name) ?? '')),
    );
    expect(new Set(found.map(([, target, rel]) => `${target} ${rel}`))).toEqual(
      new Set(['_blank noreferrer']),
    );
    const places = found.map(([href = '']) => href.replace(/0x[0-9a-fA-F]+$/, ''));
    expect(new Set(places)).toEqual(new Set(['https://etherscan.io/tx/', 'https://etherscan.io/address/']));
  });
});

describe('the pages of a list', () => {
  it('lead from one that was opened by a link to the newest, and not to where its reader was before', async () => {
    const { page, complaints } = await open(theOrders(), 'wide');
    await walkTo(page, '/m/mer_1/payouts');
    await screenIsThere(page);
    await walkTo(page, `/m/mer_1/orders?state=PAID&cursor=${shown.order}`);
    await screenIsThere(page);
    await page.getByRole('button', { name: 'Newer', exact: true }).click();
    await page.waitForURL('**/m/mer_1/orders?state=PAID');
    // Other tests begin at the list without a filter.
    await walkTo(page, '/m/mer_1');
    await screenIsThere(page);
    expect(complaints.splice(0)).toEqual([]);
  });
});

describe('from right to left, on a phone', () => {
  beforeAll(async () => {
    const { page } = await visitOf('merchant');
    await page.evaluate("localStorage.setItem('language', 'ar')");
    await page.reload();
    await page.locator('html[dir="rtl"]').waitFor();
    await screenIsThere(page);
    await lendArabicFont(page);
  });

  it.each(arabic)('$name', async (screen) => {
    await look(screen, ['phone']);
  });
});

describe('the smallest phones', () => {
  const inside = screens.filter(({ who, path }) => who !== 'nobody' && path !== null);
  it.each(['de', 'ar'])('show every screen in their width: %s', async (language) => {
    const wider: string[] = [];
    for (const who of ['merchant', 'operator'] as const) {
      const { page } = await visitOf(who);
      await page.setViewportSize({ width: 320, height: 640 });
      await page.evaluate(`localStorage.setItem('language', '${language}')`);
      await page.reload();
      await screenIsThere(page);
      for (const screen of inside.filter((each) => each.who === who)) {
        await walkTo(page, screen.path?.(shown) ?? '');
        await screenIsThere(page);
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        if (width > 320) wider.push(`${screen.name}: ${width} px`);
      }
    }
    expect(wider).toEqual([]);
  });
});

describe('without a network', () => {
  it('a list says that it may be old, and is the newest as soon as the network is back', async () => {
    const { page, complaints } = await open(theOrders(), 'wide');
    await page.context().setOffline(true);
    const mark = page.locator('main [role="status"] svg');
    await mark.waitFor();
    await shown.shop.orderPlaced('1046', 1001, '2');
    expect(await page.getByRole('row', { name: '1046' }).count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('row', { name: '1046' }).waitFor();
    // The browser says so of each request that a page makes meanwhile, and a slow one still makes some.
    const others = complaints.splice(0).filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'));
    expect([await mark.count(), others]).toEqual([0, []]);
  });
});

const ROUTES = new URL('../../../../../../apps/dashboard/src/routes.tsx', import.meta.url);

/** The addresses of the router, each list of screens behind its own beginning. */
function routesOf(source: string): readonly string[] {
  const begins = { merchantScreens: 'm/:merchantId', operatorScreens: 'operator' };
  let begin = '';
  return [...source.matchAll(/const (\w+)[^=\n]*= |screen\(\s*'([^']*)'|path: '(\*)'/g)].flatMap(
    ([, list, route, other]) => {
      if (list !== undefined) begin = Object.entries(begins).find(([name]) => name === list)?.[1] ?? '';
      const path = route ?? other;
      if (path === undefined) return [];
      return [[begin, path].filter(Boolean).join('/')];
    },
  );
}
