// What the exposition says of clocks and providers: an age is never negative, and no reason is made into a label.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { tron } from '@ducat/core/chain/definitions/tron';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import { amountOf } from '@ducat/core/money/amount';
import { describe, expect, it } from 'vitest';
import { createMetrics, type Scrape } from './metrics.ts';

const cursor = {
  chain: 'ETH',
  startNumber: 1,
  head: { number: 10, hash: '0xhead' },
  headTime: 1_000,
  finalNumber: 8,
  finalTime: 980,
  searchedNumber: 8,
  searchedTime: 980,
  haltedReason: null,
  currencyIds: null,
};

/** A scrape at a time (Unix seconds) at which the database gave nothing. */
function at(now: number): Scrape {
  return {
    depths: null,
    books: null,
    backups: null,
    outgoing: null,
    holdings: null,
    nowMs: now * 1000,
    roundMs: 1,
  };
}

async function clocks(now: number): Promise<readonly (string | undefined)[]> {
  const metrics = createMetrics();
  metrics.watcher.onHead('ETH', 12);
  metrics.watcher.onCursor('ETH', cursor);
  const text = await metrics.expose(at(now));
  return ['ducat_chain_lag_blocks', 'ducat_chain_lag_seconds', 'ducat_clock_skew_seconds'].map(
    (name) => new RegExp(`^${name}\\{chain="ETH"\\} (.+)$`, 'm').exec(text)?.[1],
  );
}

describe('the age of the newest block in the books', () => {
  it('grows with our clock, while the clock is not behind the chain', async () => {
    expect(await clocks(1_000)).toEqual(['2', '0', '0']);
    expect(await clocks(1_030)).toEqual(['2', '30', '0']);
  });

  it('is 0 under a clock that is behind, and the skew says by how much', async () => {
    expect(await clocks(955)).toEqual(['2', '0', '45']);
  });
});

it('the gaps of a chain are counted as they are at the scrape', async () => {
  const { watchGaps, expose } = createMetrics();
  let gaps: readonly string[] = ['one that is known from the start'];
  watchGaps([{ definition: { name: 'ETH' }, gaps: () => gaps }]);
  expect(await expose(at(0))).toContain('ducat_chain_gaps{chain="ETH"} 1');
  gaps = [...gaps, 'a new one'];
  expect(await expose(at(0))).toContain('ducat_chain_gaps{chain="ETH"} 2');
});

describe('what waits', () => {
  const depths = {
    pendingEvents: 2,
    deadEvents: 0,
    openOrders: 0,
    seenTransfers: 0,
    unassignedReceipts: 0,
    freeAddresses: 40,
    firstDueMs: null,
    smallestPool: null,
  };

  it('is counted by queue, and webhooks are as late as the first that is due', async () => {
    const { expose } = createMetrics();
    const late = async (firstDueMs: number | null) =>
      /^ducat_webhook_due_seconds (.+)$/m.exec(
        await expose({ ...at(1_000), depths: { ...depths, firstDueMs } }),
      )?.[1];
    expect(await late(940_000)).toBe('60');
    expect(await late(1_060_000)).toBe('0');
    expect(await late(null)).toBe('0');
    const text = await expose({ ...at(1_000), depths });
    expect(text.match(/^ducat_queue_depth\{queue="\w+"\}/gm)).toHaveLength(6);
    expect(text).toContain('ducat_queue_depth{queue="pendingEvents"} 2');
  });

  it('shows no smallest pool where there is none', async () => {
    const { expose } = createMetrics();
    const shown = async (smallestPool: number | null) =>
      /^ducat_smallest_pool_addresses (.+)$/m.exec(
        await expose({ ...at(0), depths: { ...depths, smallestPool } }),
      )?.[1];
    expect(await shown(null)).toBeUndefined();
    expect(await shown(3)).toBe('3');
    expect(await shown(null)).toBeUndefined();
  });
});

describe('what is shown of a chain', () => {
  it('names providers and kinds of outages, and no reason', async () => {
    const { watcher, expose } = createMetrics();
    watcher.onOutage('Tron', 'disagreement');
    watcher.onOutage('Tron', 'disagreement');
    watcher.onOutage('Tron', 'throttled');
    watcher.onProviders('Tron', [
      { provider: 'a.test', circuit: 'closed', reason: null, disagreements: 0, head: 7 },
      {
        provider: 'b.test',
        circuit: 'half-open',
        reason: 'a secret reason that is for the log',
        disagreements: 0,
        head: 5,
      },
      {
        provider: 'c.test',
        circuit: 'open',
        reason: 'a secret reason that is for the log',
        disagreements: 0,
        head: null,
      },
    ]);
    const text = await expose(at(0));
    expect(text).toContain('ducat_chain_outages_total{chain="Tron",kind="disagreement"} 2');
    expect(text).toContain('ducat_chain_outages_total{chain="Tron",kind="throttled"} 1');
    expect(text).toContain('ducat_provider_circuit{chain="Tron",provider="a.test"} 0');
    expect(text).toContain('ducat_provider_circuit{chain="Tron",provider="b.test"} 1');
    expect(text).toContain('ducat_provider_circuit{chain="Tron",provider="c.test"} 2');
    expect(text).toContain('ducat_provider_head_block{chain="Tron",provider="b.test"} 5');
    expect(text).not.toContain('secret');
  });

  it('says how far the search for internal transactions is behind, and what it found', async () => {
    const { watcher, expose } = createMetrics();
    watcher.onCursor('ETH', { ...cursor, searchedNumber: 5 });
    watcher.onInternal('ETH', 'explained', 2);
    watcher.onInternal('ETH', 'unassigned', 1);
    const text = await expose(at(0));
    expect(text).toContain('ducat_chain_unsearched_blocks{chain="ETH"} 3');
    expect(text).toContain('ducat_internal_transactions_total{chain="ETH",outcome="explained"} 2');
    expect(text).toContain('ducat_internal_transactions_total{chain="ETH",outcome="unassigned"} 1');
  });

  it('counts what a person should look at, from nothing on, so that the first one is a rise', async () => {
    const { watcher, expose } = createMetrics();
    const series = (what: string) => `ducat_noted_transfers_total{chain="ETH",what="${what}"}`;
    const shown = async () => {
      const text = await expose(at(0));
      const valueOf = (what: string) => text.split('\n').find((line) => line.startsWith(series(what)));
      return ['unassigned', 'outflow', 'too-large'].map((what) => valueOf(what)?.split(' ').at(-1));
    };
    watcher.onNoted('ETH', { unassigned: 0, outflows: 0, absurd: 0 });
    expect(await shown()).toEqual(['0', '0', '0']);
    watcher.onNoted('ETH', { unassigned: 3, outflows: 1, absurd: 2 });
    expect(await shown()).toEqual(['3', '1', '2']);
  });

  it('is gone where another process watches the chain now', async () => {
    const { watcher, expose } = createMetrics();
    watcher.onLease('ETH', true);
    watcher.onHead('ETH', 12);
    watcher.onCursor('ETH', cursor);
    watcher.onProviders('ETH', [
      { provider: 'a.test', circuit: 'open', reason: 'is away', disagreements: 0, head: 7 },
    ]);
    const before = await expose(at(0));
    expect(before).toContain('ducat_chain_final_block{chain="ETH"} 8');
    expect(before).toContain('ducat_provider_circuit{chain="ETH",provider="a.test"} 2');
    watcher.onLease('ETH', false);
    const after = await expose(at(0));
    expect(after).not.toContain('ducat_chain_final_block{');
    expect(after).not.toContain('ducat_provider_circuit{');
    expect(after).not.toContain('ducat_provider_head_block{');
  });
});

it('counters that rules ask for a rise of begin at zero, while the process stands by', async () => {
  const { watcher, payer, collector, expose } = createMetrics();
  for (const role of [watcher, payer, collector]) role.onLease('ETH', false);
  const text = await expose(at(0));
  for (const series of [
    'ducat_chain_lease_taken_total{chain="ETH"}',
    'ducat_chain_outages_total{chain="ETH",kind="disagreement"}',
    'ducat_noted_transfers_total{chain="ETH",what="outflow"}',
    'ducat_internal_transactions_total{chain="ETH",outcome="unassigned"}',
    'ducat_reorgs_total{chain="ETH"}',
    'ducat_broadcasts_total{chain="ETH",outcome="refused"}',
    'ducat_payer_outages_total{chain="ETH",kind="unavailable"}',
    'ducat_collector_outages_total{chain="ETH",kind="unavailable"}',
    'ducat_collections_total{chain="ETH",event="taken"}',
    'ducat_collections_total{chain="ETH",event="again"}',
    'ducat_top_ups_total{chain="ETH",event="over-budget"}',
  ])
    expect(text).toContain(`${series} 0\n`);
});

it('what is frozen is shown of each chain, from 0 on, so that the first one is a rise', async () => {
  const { watchGaps, expose } = createMetrics();
  watchGaps(['ETH', 'Tron'].map((name) => ({ definition: { name }, gaps: () => [] })));
  const frozen = async (count: number | null) => {
    const held = [{ chain: 'ETH', state: 'frozen', count: count ?? 0 }];
    const holdings = { holdings: count === null ? [] : held, open: [] };
    const text = await expose({ ...at(0), holdings });
    return [...text.matchAll(/^ducat_holdings\{chain="(\w+)",state="frozen"\} (\d+)$/gm)].map(
      ([, chain, shown]) => `${chain} ${shown}`,
    );
  };
  // Nothing is known before the database answers.
  expect(await expose(at(0))).not.toContain('ducat_holdings{');
  expect(await frozen(null)).toEqual(['ETH 0', 'Tron 0']);
  expect(await frozen(2)).toEqual(['ETH 2', 'Tron 0']);
  expect(await frozen(null)).toEqual(['ETH 0', 'Tron 0']);
});

it('what the collector found is gone where another process collects now', async () => {
  const { collector, expose } = createMetrics();
  collector.onLease('Tron', true);
  collector.onGasShort('Tron', true);
  collector.onRunway('Tron', { days: 3n, payouts: 4n }, true);
  const stray = amountOf(nativeCurrency(tron).currencyId, 5n);
  collector.onStake(tron, { runway: { coveragePercent: 50n }, stray } as unknown as StakeLook);
  const gauges = /^ducat_(gas_wallet_short|gas_runway_\w+|stake_\w+)\{chain="Tron"\}/gm;
  expect((await expose(at(0))).match(gauges)).toHaveLength(6);
  collector.onLease('Tron', false);
  expect((await expose(at(0))).match(gauges)).toBeNull();
});
