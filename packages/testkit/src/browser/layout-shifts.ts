// What has moved on a page since it was opened without the payer doing anything: each shift with the first thing that moved.
import type { Page } from 'playwright-core';

/** Waits until the script of the page has taken over. */
export async function layoutShifts(page: Page): Promise<readonly string[]> {
  await page.locator('main[data-live="true"]').waitFor();
  return page.evaluate(readShifts);
}

/** Runs in the browser, so it holds everything it needs. */
function readShifts(): Promise<readonly string[]> {
  // What browsers have, and the types of Node do not know.
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
    // A shift is known after the frame that it happened in.
    here.requestAnimationFrame(() =>
      here.requestAnimationFrame(() => {
        keep(observer.takeRecords());
        resolve(shifts);
      }),
    );
  });
}
