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
  screenIsThere,
  takeForm,
  walkTo,
} from '@ducat/testkit/screens/screen-forms';
import { shownDeps } from '@ducat/testkit/screens/shown-deps';
import { ScreenSheet } from '@ducat/testkit/screens/screen-sheet';
import { arabic, dialogs, type Screen, screens, type Visitor } from '@ducat/testkit/screens/screen-table';
import { type ShownShop, startShownShop } from '@ducat/testkit/screens/shown-shop';
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

async function look(screen: Screen, forms: readonly [Form, ...Form[]]): Promise<void> {
  const { page, complaints } = await open(screen, forms[0]);
  const found: string[] = [];
  const sheet = new ScreenSheet(screen.name);
  for (const form of forms) {
    const findings = await formFindings(page, form);
    found.push(...findings.map((finding) => `${form}: ${finding}`));
    await sheet.add(form, page);
  }
  await sheet.write(await openBrowser());
  expect(await page.getByText('This could not be loaded').count()).toBe(0);
  const noted = complaints.splice(0).filter((each) => !each.includes(screen.refusal ?? 'nothing is refused'));
  expect([...found, ...noted]).toEqual([]);
}

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

describe('every dialog, on a phone', () => {
  it.each(dialogs)('$name', async (dialog) => {
    await look(dialog, ['phone']);
    const { page } = await visitOf(dialog.who);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
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
