// Layout shifts of a page since it was opened, without any input of the payer: each with the elements that moved.
import type { Page } from 'playwright-core';

/** Waits until the script of the page has taken over. */
export async function layoutShifts(page: Page): Promise<readonly string[]> {
  await page.locator('main[data-live="true"]').waitFor();
  return page.evaluate(readShifts);
}

/** Runs in the browser, so it holds everything it needs. */
function readShifts(): Promise<readonly string[]> {
  // Globals of browsers, which the types of Node lack.
  interface Box {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }
  interface Source {
    readonly node: { readonly outerHTML?: string; readonly textContent?: string } | null;
    readonly previousRect: Box;
    readonly currentRect: Box;
  }
  interface Shift {
    readonly value: number;
    readonly startTime: number;
    readonly sources: readonly Source[];
  }
  const boxText = ({ x, y, width, height }: Box) => [x, y, width, height].map(Math.round).join(' ');
  const textOf = ({ node, previousRect, currentRect }: Source) =>
    `${(node?.outerHTML ?? node?.textContent ?? '').slice(0, 80)} from ${boxText(previousRect)} to ${boxText(currentRect)}`;
  const here = globalThis as unknown as {
    requestAnimationFrame(work: () => void): void;
    PerformanceObserver: new (
      seen: (list: { getEntries(): readonly Shift[] }) => void,
    ) => {
      observe(what: { type: string; buffered: boolean }): void;
      takeRecords(): readonly Shift[];
    };
  };
  return new Promise((resolve) => {
    const shifts: string[] = [];
    const keep = (entries: readonly Shift[]) => {
      for (const { value, startTime, sources } of entries)
        shifts.push(
          `${value.toFixed(4)} after ${Math.round(startTime)} ms: ${sources.map(textOf).join('; ')}`,
        );
    };
    const observer = new here.PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // The browser reports a shift after the frame in which it happened.
    here.requestAnimationFrame(() =>
      here.requestAnimationFrame(() => {
        keep(observer.takeRecords());
        resolve(shifts);
      }),
    );
  });
}
