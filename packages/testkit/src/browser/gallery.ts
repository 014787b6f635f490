// Pictures of the payment page: all states of one look side by side on a sheet, as a WebP file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

interface Picture {
  readonly state: string;
  readonly image: string;
}

const QUALITY = 82;
/** Pictures of one row of a sheet. */
const COLUMNS = 5;
const NARROW = 600;

/** Collects pictures of a page. `write` puts them side by side on a sheet in the folder. */
export class Gallery {
  readonly #folder: string;
  #pictures: Picture[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async add(state: string, page: Page): Promise<void> {
    // Waits until fonts and images are loaded. The screenshot ends all animations.
    await page.waitForLoadState('networkidle');
    const bytes = await page.screenshot({ fullPage: true, animations: 'disabled' });
    this.#pictures.push({ state, image: bytes.toString('base64') });
  }

  /** Writes the sheet as `name`.webp. The sheet is rendered in the page, which then shows nothing else. */
  async write(name: string, page: Page): Promise<void> {
    const width = page.viewportSize()?.width ?? NARROW;
    const shown = width > NARROW ? width / 2 : width;
    const columns = width > NARROW ? 2 : COLUMNS;
    const figures = this.#pictures.map(
      ({ state, image }) =>
        `<figure><figcaption>${state}</figcaption><img width="${shown}" src="data:image/png;base64,${image}"></figure>`,
    );
    await page.setViewportSize({ width: columns * (shown + 16) + 16, height: 800 });
    await page.goto('about:blank');
    await page.setContent(`<style>
      body { margin: 16px; display: grid; grid-template-columns: repeat(${columns}, ${shown}px); gap: 16px; background: #9aa3b2 }
      figure { margin: 0 } figcaption { font: 600 16px sans-serif; padding-block: 4px } img { display: block }
      </style>${figures.join('')}`);
    const session = await page.context().newCDPSession(page);
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    const shot = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
      captureBeyondViewport: true,
      clip: { ...cssContentSize, scale: 1 },
    });
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, `${name}.webp`), Buffer.from(shot.data, 'base64'));
    this.#pictures = [];
  }
}
