// A screen of the dashboard as its tests look at it: by the rules of axe, by its width, and as a picture.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe-findings.ts';

/** Light or dark, and so wide and high. */
export type Look = readonly [theme: 'light' | 'dark', width: number, height: number];

/** With this set the pictures of docs/dashboard are made anew, each screen in one look. */
const picturesFolder = process.env['DUCAT_WRITE_DASHBOARD'];

/** How much wider than its window the page is, in pixels; 0 where it fits. */
async function overflowOf(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle');
  return Math.max(0, Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')));
}

/** What is wrong with the screen; none but where a rule of axe is broken, or something is wider than the window. */
export async function screenFindings(page: Page): Promise<readonly string[]> {
  const overflow = await overflowOf(page);
  return [...(overflow === 0 ? [] : [`${overflow} px wider than its window`]), ...(await axeFindings(page))];
}

/** Taken where pictures are wanted; the window is afterwards as it was. */
export async function takePicture(page: Page, screen: string, [theme, width, height]: Look): Promise<void> {
  if (picturesFolder === undefined) return;
  const before = page.viewportSize() ?? { width, height };
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height });
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(picturesFolder, `${screen}.png`), animations: 'disabled' });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}
