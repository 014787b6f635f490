// What the API knows of suspended currencies is never older than three seconds, and stays while the database is away.
import { openTestDatabase } from '@ducat/testkit/database';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { expect, inject, it } from 'vitest';
import type { Reader } from '../db/postgres/tx.ts';
import { resumeByHand } from '../flows/currencies/resume-by-hand.ts';
import { suspendByHand } from '../flows/currencies/suspend-by-hand.ts';
import type { IdleChains } from '../runtime/idle-chains.ts';
import { createLog } from '../runtime/log.ts';
import { Outage } from '../runtime/outage.ts';
import { createSuspensions } from './suspensions.ts';

it('reads them anew every second, or each three seconds while all chains are idle', async () => {
  const database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  const clock = createHandClock(0);
  let isAway = false;
  const rests: (number | null | string)[][] = [];
  let isIdle = false;
  const rest: IdleChains['rest'] = async (chain, { least, most }, signal) => {
    if (!isIdle) return false;
    rests.push([chain, least, most]);
    await clock.sleep(most, signal);
    return true;
  };
  const reader: Reader = {
    read: (sql, values) => (isAway ? Promise.reject(new Outage('away')) : database.reader.read(sql, values)),
  };
  const suspensions = createSuspensions(reader, clock, createLog('silent'), { rest });
  const stop = new AbortController();
  try {
    const suspend = { currencyId: 1001, reason: 'by hand', nowMs: 0 };
    expect(await database.transact((tx) => suspendByHand(tx, suspend))).toBe(true);
    expect(await database.transact((tx) => suspendByHand(tx, { ...suspend, reason: 'later' }))).toBe(false);
    await suspensions.read();
    expect([suspensions.reasonFor(1001), suspensions.reasonFor(1002)]).toEqual(['by hand', null]);
    const running = suspensions.run(stop.signal);
    await expect.poll(() => clock.asked.length).toBe(1);
    isAway = true;
    clock.advance(1_000);
    await expect.poll(() => clock.asked.length).toBe(2);
    expect(suspensions.reasonFor(1001)).toBe('by hand');
    isAway = false;
    expect(await database.transact((tx) => resumeByHand(tx, 1001))).toBe(true);
    expect(await database.transact((tx) => resumeByHand(tx, 1001))).toBe(false);
    clock.advance(1_000);
    await expect.poll(() => suspensions.reasonFor(1001)).toBe(null);
    await expect.poll(() => clock.asked).toEqual([1_000, 1_000, 1_000]);
    isIdle = true;
    clock.advance(1_000);
    await expect.poll(() => clock.asked.length).toBe(4);
    expect(rests).toEqual([[null, 3_000, 3_000]]);
    stop.abort();
    await running;
  } finally {
    await database.drop();
  }
});
