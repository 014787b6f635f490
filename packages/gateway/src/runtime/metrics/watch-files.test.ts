// The alert rules, the Grafana dashboard and the page on what to watch name metrics that exist, and pages that exist.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const root = new URL('../../../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

async function known(): Promise<ReadonlySet<string>> {
  const scrape = {
    depths: null,
    books: null,
    backups: null,
    outgoing: null,
    holdings: null,
    nowMs: 0,
    roundMs: 1,
  };
  const text = await createMetrics().expose(scrape);
  const named = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    named.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

describe('what watches Ducat', () => {
  it.each([
    ['deploy/prometheus/alerts.yaml', 30],
    ['deploy/grafana/ducat.json', 10],
    ['docs/operate/observe.md', 40],
  ])('%s names metrics that exist', async (file, least) => {
    const metrics = await known();
    const used = new Set([...read(file).matchAll(/ducat_[a-z_]+/g)].map(([name]) => name));
    expect(used.size).toBeGreaterThanOrEqual(least);
    expect([...used].filter((name) => !metrics.has(name))).toEqual([]);
  });

  it('the page on what to watch has every metric of ours', async () => {
    const page = read('docs/operate/observe.md');
    const ours = [...(await known())].filter((name) => !/_process_|_nodejs_|_(bucket|sum|count)$/.test(name));
    expect(ours.length).toBeGreaterThan(60);
    expect(ours.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('each alert has a page that says what to do', () => {
    const alerts = read('deploy/prometheus/alerts.yaml');
    const pages = [...alerts.matchAll(/^ +runbook: (.+)$/gm)].map(([, page = '']) => page);
    expect(pages).toHaveLength([...alerts.matchAll(/^ +- alert: /gm)].length);
    expect(pages.filter((page) => !existsSync(new URL(page, root)))).toEqual([]);
  });

  it('the dashboard is a dashboard, and each of its panels asks something', () => {
    const { panels }: Dashboard = JSON.parse(read('deploy/grafana/ducat.json'));
    expect(panels.every(({ targets }) => targets.every(({ expr }) => expr.includes('ducat_')))).toBe(true);
  });
});
