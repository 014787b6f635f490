// The alert rules, the Grafana dashboard and the page on what to watch name metrics that exist, and pages that exist.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { priceSources } from '../../rates/price-sources.ts';
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

interface Alert {
  readonly name: string;
  readonly expr: string;
  readonly runbook: string;
}

/** Without comments, and with a long expression on one line. */
function readAlerts(): readonly Alert[] {
  const [, ...rules] = read('deploy/prometheus/alerts.yaml')
    .replaceAll(/^ *#.*\n/gm, '')
    .split(/^ +- alert: /m);
  return rules.map((rule) => {
    const [, folded, line = folded] = /expr: (?:>-\n((?: {10}.+\n)+)|(.+)\n)/.exec(rule) ?? [];
    const runbook = /^ +runbook: (.+)$/m.exec(rule)?.[1] ?? '';
    const name = /^\w+/.exec(rule)?.[0] ?? '';
    return { name, expr: (line ?? '').trim().replaceAll(/\s+/g, ' '), runbook };
  });
}

/** The table of alarms: what each row is about, and its rule. */
function readTable(): readonly { readonly metrics: readonly string[]; readonly rule: string }[] {
  const [, table = ''] =
    /^\| Metric \| Alarm when \| Rule \| Because \|\n.+\n((?:\|.+\n)+)/m.exec(
      read('docs/operate/observe.md'),
    ) ?? [];
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [, metric = '', , rule = ''] = row.split('|').map((cell) => cell.trim());
      return { metrics: [...metric.matchAll(/`(\w+)/g)].map(([, name = '']) => name), rule };
    });
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
    const pages = readAlerts().map(({ runbook }) => runbook);
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.filter((page) => !existsSync(new URL(page, root)))).toEqual([]);
  });

  it('each alert stands in the table, in a row of its metrics, and each row has an alert or says why not', () => {
    const rows = readTable();
    const alerts = readAlerts();
    expect(rows.filter(({ rule }) => !/^(Ducat\w+|none: .+)$/.test(rule))).toEqual([]);
    const named = rows.filter(({ rule }) => !rule.startsWith('none: '));
    expect(named.map(({ rule }) => rule).toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
    for (const { metrics, rule } of named) {
      const { expr = '' } = alerts.find(({ name }) => name === rule) ?? {};
      expect(
        metrics.some((metric) => expr.includes(metric)),
        rule,
      ).toBe(true);
    }
  });

  it('an alert on a lease fires too where no process shows that lease', () => {
    const exprs = readAlerts().map(({ expr }) => expr);
    const leases = exprs.filter((expr) => /lease_held|^up/.test(expr));
    expect(leases).toHaveLength(5);
    for (const expr of leases) expect(expr).toMatch(/ or (absent\(|vector\(0\))/);
  });

  it('the alert on sources of prices knows all of them, coins apart from fiat', () => {
    const { expr = '' } = readAlerts().find(({ name }) => name === 'DucatFewRates') ?? {};
    const [coins, fiat] = [...expr.matchAll(/source=~"([\w|]+)"/g)].map(([, list = '']) => list.split('|'));
    const ofKind = (kind: string) =>
      Object.values(priceSources)
        .map((create) => create())
        .filter((source) => source.kind === kind)
        .map(({ name }) => name);
    expect(coins?.toSorted()).toEqual(ofKind('coin').toSorted());
    expect(fiat?.toSorted()).toEqual(ofKind('fiat').toSorted());
  });

  it('the dashboard is a dashboard, and each of its panels asks something', () => {
    const { panels }: Dashboard = JSON.parse(read('deploy/grafana/ducat.json'));
    expect(panels.every(({ targets }) => targets.every(({ expr }) => expr.includes('ducat_')))).toBe(true);
  });
});
