// What axe finds wrong with the page that a browser shows: each rule with the first place that breaks it.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

export async function axeFindings(page: Page): Promise<readonly string[]> {
  // In the page itself: there are no frames, and a window of its own for each look costs seconds.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
