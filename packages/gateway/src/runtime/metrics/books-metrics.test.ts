// What is shown of the checks: a figure while it is good, an age while nobody looks, and never the last good figure.
import { amountOf } from '@ducat/core/money/amount';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { BooksReport } from '../../db/reports/books-report.ts';
import { booksMetrics } from './books-metrics.ts';

const HOUR = 3_600_000;
const USDT = 1001;
const labels = 'chain="ETH",currency="USDT",currency_id="1001"';

const check: BooksReport['checks'][number] = {
  chain: 'ETH',
  currencyId: USDT,
  beganMs: 0,
  touchedUntil: 1,
  round: { startedMs: 30 * HOUR, position: 50, end: 100 },
  roundChecked: 50,
  lastRoundChecked: 100,
  parts: [...Array<number>(12).fill(30 * HOUR), ...Array<number>(12).fill(10 * HOUR)],
  trouble: null,
  troubleSinceMs: null,
};

const clean: BooksReport = {
  checks: [check],
  differences: [],
  outflows: [],
  suspensions: [],
  audit: { findings: 0, atMs: 35 * HOUR },
  currencies: new Map([[USDT, { chain: 'ETH', symbol: 'USDT', decimals: 6 }]]),
};

async function shown(report: BooksReport | null): Promise<readonly string[]> {
  const registry = new Registry();
  const show = booksMetrics(registry);
  show(clean, { nowMs: 36 * HOUR, roundMs: 24 * HOUR });
  show(report, { nowMs: 36 * HOUR, roundMs: 24 * HOUR });
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

it('shows what was compared, and how old the oldest check is', async () => {
  expect(await shown(clean)).toEqual([
    `ducat_reserve_difference{${labels}} 0`,
    `ducat_reserve_differing_addresses{${labels}} 0`,
    `ducat_reserve_checked_share{${labels}} 0.5`,
    `ducat_reserve_oldest_check_seconds{${labels}} ${26 * 3_600}`,
    `ducat_reserve_could_not_ask_seconds{${labels}} 0`,
    'ducat_audit_findings 0',
    'ducat_audit_age_seconds 3600',
  ]);
});

it.each<[string, Partial<typeof check>]>([
  ['while it cannot be asked', { trouble: 'unavailable: nobody answers', troubleSinceMs: 35 * HOUR }],
  ['before everything was compared once', { parts: [36 * HOUR], beganMs: 30 * HOUR }],
])('shows no good figure %s', async (_, change) => {
  const lines = (await shown({ ...clean, checks: [{ ...check, ...change }] })).join('\n');
  expect(lines).not.toContain('ducat_reserve_difference');
  expect(lines).toMatch(
    change.trouble === undefined ? /oldest_check_seconds.* 21600/ : /could_not_ask_seconds.* 3600/,
  );
});

it('shows differences in whole tokens, also while it cannot be asked, outflows, suspensions and findings', async () => {
  const lines = await shown({
    ...clean,
    checks: [{ ...check, trouble: 'unavailable', troubleSinceMs: 35 * HOUR }],
    differences: [{ chain: 'ETH', currencyId: USDT, addresses: 2, total: amountOf(USDT, 1_500_000n) }],
    outflows: [{ chain: 'ETH', currencyId: USDT, total: amountOf(USDT, 1n) }],
    suspensions: [{ currencyId: USDT, reason: 'ledger and chain differ', sinceMs: 0 }],
    audit: { findings: 3, atMs: 0 },
  });
  expect(lines).toEqual(
    expect.arrayContaining([
      `ducat_reserve_difference{${labels}} 1.5`,
      `ducat_reserve_differing_addresses{${labels}} 2`,
      `ducat_outflow_unexplained{${labels}} 0.000001`,
      `ducat_currency_suspended{${labels},reason="ledger and chain differ"} 1`,
      'ducat_audit_findings 3',
    ]),
  );
});

it('shows nothing while the database gives no answer', async () => {
  const lines = await shown(null);
  expect(lines.filter((line) => line.includes('reserve'))).toEqual([]);
});
