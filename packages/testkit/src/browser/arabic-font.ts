// Adds an Arabic font to a page for pictures, because the browser from npm has none. Real pages use the system's font.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const file = require.resolve(
  '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2',
);

/**
 * Adds the font until the page is left. A script adds it, because the page's Content-Security-Policy allows no other
 * font.
 */
export async function lendArabicFont(page: Page): Promise<void> {
  await page.evaluate(addFont, readFileSync(file).toString('base64'));
}

/** Runs in the browser, so it holds everything it needs. */
async function addFont(base64: string): Promise<void> {
  // Globals of browsers, which the types of Node lack.
  const here = globalThis as unknown as {
    document: {
      fonts: { add(face: object): void };
      documentElement: { style: { setProperty(name: string, value: string): void } };
    };
    FontFace: new (family: string, bytes: Uint8Array, how: object) => { load(): Promise<object> };
    atob(text: string): string;
  };
  const bytes = Uint8Array.from(here.atob(base64), (letter) => letter.charCodeAt(0));
  here.document.fonts.add(await new here.FontFace('Lent Arabic', bytes, { weight: '100 900' }).load());
  here.document.documentElement.style.setProperty('--sans', 'Inter, "Lent Arabic", sans-serif');
}
