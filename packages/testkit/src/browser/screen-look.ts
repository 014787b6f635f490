// A screen of the dashboard as its tests look at it: by the rules of axe, by its width, and as a picture.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe-findings.ts';

/** Theme, and width and height of the window in pixels. */
export type Look = readonly [theme: 'light' | 'dark', width: number, height: number];

/** Where this folder is set, the pictures of docs/dashboard are made anew in it, each screen in one look. */
const picturesFolder = process.env['DUCAT_WRITE_DASHBOARD'];

/** How much wider than its window the page is, in pixels; 0 where it fits. */
async function overflowOf(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle');
  return Math.max(0, Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')));
}

/** Defects of the screen: broken rules of axe, and a page that is wider than its window. Empty where there are none. */
export async function screenFindings(page: Page): Promise<readonly string[]> {
  const overflow = await overflowOf(page);
  return [...(overflow === 0 ? [] : [`${overflow} px wider than its window`]), ...(await axeFindings(page))];
}

/** Takes a picture where pictures are wanted. Afterwards the window has its former size. */
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
