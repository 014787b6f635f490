// The picture of one screen for docs/dashboard: its forms side by side in a WebP file. Made only where pictures are wanted.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Form, forms } from './screen-forms.ts';

/** Where this folder is set, the pictures of docs/dashboard are made anew. */
const folder = process.env['DUCAT_WRITE_DASHBOARD'];

const QUALITY = 80;
const GAP = 16;
/** The width of the wide forms, which stand one above the other. The phone stands beside them. */
const WIDE = 880;
const PHONE = 390;
/** The greatest height of a picture; a longer screen is cut off. */
const MOST_HIGH = 2_400;

interface Picture {
  readonly png: string;
  readonly width: number;
  readonly height: number;
}

export class ScreenSheet {
  readonly #name: string;
  readonly #pictures = new Map<Form, Picture>();

  constructor(name: string) {
    this.#name = name;
  }

  async add(form: Form, page: Page): Promise<void> {
    if (folder === undefined) return;
    const { width, height: window } = forms[form];
    // A dialog is laid out for the window, so its picture shows the window only.
    const isOver = (await page.locator('[role="dialog"]').count()) > 0;
    const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
    const height = isOver ? window : Math.min(Math.max(whole, window), MOST_HIGH);
    const clip = { x: 0, y: 0, width, height };
    const bytes = await page.screenshot({ animations: 'disabled', fullPage: !isOver, clip });
    this.#pictures.set(form, { png: bytes.toString('base64'), width, height });
  }

  async write(browser: Browser): Promise<void> {
    if (folder === undefined) return;
    const page = await browser.newPage({ viewport: { width: 100, height: 100 } });
    const { width, height } = this.#size();
    await page.setViewportSize({ width, height });
    await page.setContent(this.#document());
    const session = await page.context().newCDPSession(page);
    const clip = { x: 0, y: 0, width, height, scale: 1 };
    const shot = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
    await page.close();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${this.#name}.webp`), Buffer.from(shot.data, 'base64'));
  }

  #document(): string {
    const image = (form: Form) => {
      const picture = this.#pictures.get(form);
      if (picture === undefined) return '';
      return `<img width="${shownWidth(form)}" src="data:image/png;base64,${picture.png}">`;
    };
    const wide = image('wide') + image('dark');
    return `<style>
      body { margin: 0; display: flex; align-items: start; gap: ${GAP}px; background: #9aa3b2 }
      div { display: grid; gap: ${GAP}px } img { display: block }
      </style>${wide === '' ? '' : `<div>${wide}</div>`}${image('phone')}`;
  }

  #size(): { readonly width: number; readonly height: number } {
    const heightOf = (form: Form) => {
      const picture = this.#pictures.get(form);
      return picture === undefined ? 0 : Math.round((picture.height * shownWidth(form)) / picture.width);
    };
    if (!this.#pictures.has('wide')) return { width: PHONE, height: heightOf('phone') };
    const wide = heightOf('wide') + GAP + heightOf('dark');
    return { width: WIDE + GAP + PHONE, height: Math.max(wide, heightOf('phone')) };
  }
}

function shownWidth(form: Form): number {
  return form === 'phone' ? PHONE : WIDE;
}
