// The checks for a real java-tron, held against this chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTronDev, type TronDev } from '../start-tron-dev.ts';
import { checks, runConformance } from './run-conformance.ts';

let dev: TronDev;
beforeAll(async () => {
  dev = await startTronDev({ mining: { blockTimeMs: 50 }, solidLag: 4 });
});
afterAll(() => dev.stop());

describe('conformance', () => {
  it('all checks hold for tron-dev', { timeout: 300_000 }, async () => {
    const target = {
      fullUrl: dev.fullUrl,
      solidityUrl: dev.solidityUrl,
      privateKey: dev.accounts[0]!.privateKey,
      timeoutMs: 60_000,
    };
    const results = await runConformance(target);
    expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(results).toHaveLength(checks.length);
    expect(checks.length).toBeGreaterThanOrEqual(60);
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
  });

  it('a node that does not answer fails every check, with the reason', async () => {
    const results = await runConformance({
      fullUrl: 'http://127.0.0.1:9',
      solidityUrl: 'http://127.0.0.1:9',
      privateKey: '11'.repeat(32),
      timeoutMs: 100,
    });
    expect(results.every(({ failure }) => failure !== null)).toBe(true);
  });
});
