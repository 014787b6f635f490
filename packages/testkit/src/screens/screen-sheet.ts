// The picture of one screen for docs/dashboard: its forms side by side in one WebP file. Made only where pictures are wanted.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Form, forms } from './screen-forms.ts';

/** With this set the pictures of docs/dashboard are made anew. */
const folder = process.env['DUCAT_WRITE_DASHBOARD'];

const QUALITY = 80;
const GAP = 16;
/** Wide forms stand one above the other, this wide; the phone beside them is as high as both. */
const WIDE = 880;
const PHONE_ALONE = 390;

export class ScreenSheet {
  readonly #name: string;
  readonly #pictures = new Map<Form, string>();

  constructor(name: string) {
    this.#name = name;
  }

  async add(form: Form, page: Page): Promise<void> {
    if (folder === undefined) return;
    const bytes = await page.screenshot({ animations: 'disabled' });
    this.#pictures.set(form, bytes.toString('base64'));
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
    const image = (form: Form, width: number) => {
      const data = this.#pictures.get(form);
      return data === undefined ? '' : `<img width="${width}" src="data:image/png;base64,${data}">`;
    };
    const wide = image('wide', WIDE) + image('dark', WIDE);
    return `<style>
      body { margin: 0; display: flex; gap: ${GAP}px; background: #9aa3b2 }
      div { display: grid; gap: ${GAP}px } img { display: block }
      </style>${wide === '' ? '' : `<div>${wide}</div>`}${image('phone', this.#phoneWidth())}`;
  }

  #phoneWidth(): number {
    const { width, height } = forms.phone;
    return this.#pictures.has('wide') ? Math.round((this.#wideHeight() * width) / height) : PHONE_ALONE;
  }

  #wideHeight(): number {
    return 2 * Math.round((WIDE * forms.wide.height) / forms.wide.width) + GAP;
  }

  #size(): { readonly width: number; readonly height: number } {
    if (!this.#pictures.has('wide')) return { width: PHONE_ALONE, height: forms.phone.height };
    return { width: WIDE + GAP + this.#phoneWidth(), height: this.#wideHeight() };
  }
}
