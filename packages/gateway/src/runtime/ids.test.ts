// Shows that ids carry enough chance, sort by time and have a fixed form.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ID_RANDOM_BYTES, newAppId, newMerchantId, tradeNo } from './ids.ts';

describe('tradeNo', () => {
  it('has ten characters of time and twenty of chance', () => {
    expect(tradeNo(1_763_626_800_000, randomBytes(ID_RANDOM_BYTES))).toMatch(/^ord_[0-9a-hjkmnp-tv-z]{30}$/);
  });

  it('sorts by time whatever the chance', () => {
    const low = new Uint8Array(ID_RANDOM_BYTES);
    const high = new Uint8Array(ID_RANDOM_BYTES).fill(255);
    const times = [0, 1, 31, 32, 1_763_626_800_000, 1_763_626_800_001, 2 ** 48 - 1];
    const ids = times.flatMap((time) => [tradeNo(time, low), tradeNo(time, high)]);
    expect([...ids].sort()).toEqual(ids);
  });

  it('differs with any bit of the last 100', () => {
    const ids = new Set<string>();
    for (let bit = 0; bit < 100; bit++) {
      const bytes = new Uint8Array(ID_RANDOM_BYTES);
      bytes[ID_RANDOM_BYTES - 1 - Math.floor(bit / 8)] = 1 << (bit % 8);
      ids.add(tradeNo(5, bytes));
    }
    expect(ids.size).toBe(100);
  });
});

describe('app and merchant ids', () => {
  it('have a prefix and twenty characters', () => {
    expect(newAppId(randomBytes(ID_RANDOM_BYTES))).toMatch(/^app_[0-9a-hjkmnp-tv-z]{20}$/);
    expect(newMerchantId(randomBytes(ID_RANDOM_BYTES))).toMatch(/^mer_[0-9a-hjkmnp-tv-z]{20}$/);
  });
});
