// A short run of the fuzzer against a real gateway; `npm run fuzz` is the long one.
import type {} from '@ducat/testkit/global-setup';
import { expect, inject, it } from 'vitest';
import { runFuzz } from './run-fuzz.ts';
import { startTarget } from './start-target.ts';
import { verdict } from './verdict.ts';

const REQUESTS = 3_000;

it(`answers ${REQUESTS} generated requests as the OpenAPI document says`, async () => {
  const target = await startTarget(inject('postgresAdminUrl'));
  try {
    const result = await runFuzz(target, { requests: REQUESTS, seed: 1, connections: 8 });
    expect(result.findings).toEqual([]);
    expect(verdict(result, await target.orders(), target.errors())).toEqual([]);
    // If all requests were refused at once, the code behind the first checks would not be tested.
    expect(result.ordered.size).toBeGreaterThan(30);
    expect([...result.codes.keys()].sort((a, b) => a - b)).toEqual([
      0, 10002, 10003, 10004, 10006, 10007, 10008,
    ]);
  } finally {
    await target.stop();
  }
}, 120_000);
