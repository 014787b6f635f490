// Lends a page an Arabic typeface for pictures: the browser from npm has none. Real pages take the system's.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const file = require.resolve(
  '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2',
);

/** Until the page is left. It is added by script, since the policy of the page lets no other font in. */
export async function lendArabicFont(page: Page): Promise<void> {
  await page.evaluate(addFont, readFileSync(file).toString('base64'));
}

/** Runs in the browser, so it holds everything it needs. */
async function addFont(base64: string): Promise<void> {
  // What browsers have, and the types of Node do not know.
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
