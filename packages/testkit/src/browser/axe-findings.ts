// The rules of axe that the shown page breaks, each with the first element that breaks it.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Waits until animations end, because an element that fades has less contrast. Endless animations are not waited for.
 */
const UNTIL_STILL = `Promise.all(
  document.getAnimations()
    .filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime))
    .map((each) => each.finished.catch(() => null)),
).then(() => null)`;

export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(UNTIL_STILL);
  // Legacy mode runs axe in the page itself. The page has no frames, and a separate window for each run would cost seconds.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
