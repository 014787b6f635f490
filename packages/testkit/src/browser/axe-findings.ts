// What axe finds wrong with the page that a browser shows: each rule with the first place that breaks it.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What fades in or out has half of its contrast meanwhile. What turns for ever is not waited for. */
const UNTIL_STILL = `Promise.all(
  document.getAnimations()
    .filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime))
    .map((each) => each.finished.catch(() => null)),
).then(() => null)`;

export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(UNTIL_STILL);
  // In the page itself: there are no frames, and a window of its own for each look costs seconds.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
