// What axe finds wrong with the page that a browser shows: each rule with the first place that breaks it.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

export async function axeFindings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
