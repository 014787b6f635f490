// Layout shifts of a page since it was opened, without any input of the payer: each with the first element that moved.
import type { Page } from 'playwright-core';

/** Waits until the script of the page has taken over. */
export async function layoutShifts(page: Page): Promise<readonly string[]> {
  await page.locator('main[data-live="true"]').waitFor();
  return page.evaluate(readShifts);
}

/** Runs in the browser, so it holds everything it needs. */
function readShifts(): Promise<readonly string[]> {
  // Globals of browsers, which the types of Node lack.
  interface Shift {
    readonly value: number;
    readonly sources: readonly { readonly node: { readonly outerHTML?: string } | null }[];
  }
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
      for (const { value, sources } of entries)
        shifts.push(`${value.toFixed(4)} ${sources[0]?.node?.outerHTML?.slice(0, 80) ?? ''}`);
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
