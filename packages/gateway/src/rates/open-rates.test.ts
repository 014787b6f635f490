// Each choice of the operator gives the source it names, and the market is counted and logged.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../runtime/metrics/metrics.ts';
import { hurried } from '@ducat/testkit/rates/hurried';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { FIXED_SOURCE } from './fixed.ts';
import { openRates, type RateSettings } from './open-rates.ts';
import { type PriceServer, startPriceServer } from '@ducat/testkit/rates/price-server';

const NOON = 1_795_176_000;
const ether = eth.currencies[0]!;
let stop: AbortController;
let server: PriceServer | null = null;
beforeEach(() => {
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await server?.close();
});

function open(settings: RateSettings) {
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const metrics = createMetrics();
  const rates = openRates(settings, {
    coins: ['ETH'],
    fiats: ['USD', 'USDT', 'EUR'],
    world: hurried(createHandClock(NOON * 1000), false),
    log: { info: note, warn: note },
    observer: metrics.rates,
  });
  return { rates, lines, metrics };
}

describe('openRates', () => {
  it('none: refuses in words and runs nothing', async () => {
    const { rates } = open({ source: 'none', maxAgeSeconds: 60 });
    await rates.run(stop.signal);
    const answer = await rates.source.quote(ether, 'USD');
    expect(answer).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('no source of rates') },
    });
  });

  it('fixed-demo: is marked as made up', async () => {
    const { rates } = open({ source: 'fixed-demo', maxAgeSeconds: 60 });
    expect(rates.source.warning).toContain('made up');
    expect(await rates.source.quote(ether, 'USD')).toMatchObject({
      value: { source: FIXED_SOURCE, evidence: [] },
    });
  });

  it('market: asks, counts and logs, and shows a dead source in its metrics alone', async () => {
    server = await startPriceServer(() => NOON);
    server.say('okx', () => ({ status: 500, body: '' }));
    const settings = {
      maxAgeSeconds: 120,
      maxFiatAgeHours: 48,
      minSources: 2,
      singleSource: [],
      maxSpreadBasisPoints: 200,
    };
    const { rates, lines, metrics } = open({
      source: 'market',
      ...settings,
      sources: server.sources,
      coingeckoKey: null,
    });
    const running = rates.run(stop.signal);
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(9);
    expect(await rates.source.quote(ether, 'EUR')).toMatchObject({ ok: true });
    expect(rates.source.warning).toBeNull();
    const exposed = await metrics.expose({
      depths: null,
      books: null,
      backups: null,
      outgoing: null,
      holdings: null,
      nowMs: NOON * 1000,
      roundMs: 1,
    });
    expect(exposed).toContain('ducat_rate_source_up{source="okx"} 0');
    expect(exposed).toContain('ducat_rate_source_up{source="kraken"} 1');
    expect(exposed).toContain('ducat_rate_answers_total{source="okx",ok="false"} 1');
    expect(exposed).toContain(`ducat_rate_newest_timestamp_seconds{source="kraken"} ${NOON}`);
    expect(lines.filter((line) => line === 'rate source is down')).toHaveLength(1);
    stop.abort();
    await running;
  });
});
