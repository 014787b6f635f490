// Codes are those of RFC 6238, and each is good for its own step and the ones beside it.
import { Secret, type TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { realWorld } from '../runtime/world.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { openSealing } from './sealing.ts';

const masterSecret = Buffer.alloc(32, 7);
let nowMs = 0;
const codes = createOneTimeCodes({ masterSecret, world: { ...realWorld, nowMs: () => nowMs } });

describe('one-time codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at %s s are those of RFC 6238', (seconds, code) => {
    const secret = Secret.fromLatin1('12345678901234567890').base32;
    const sealing = openSealing(masterSecret, 'ducat one-time-code sealing v1');
    const sealed = sealing.seal('app_1', secret, realWorld);
    nowMs = seconds * 1000;
    expect(codes.stepOf('app_1', sealed, code)).toBe(Math.floor(seconds / 30));
    expect(codes.stepOf('app_1', sealed, code === '000000' ? '000001' : '000000')).toBeNull();
  });

  it('come from the secret that the authenticator was given, fit for three steps, and for one app', () => {
    const { setupUrl, sealed } = codes.create('app_1');
    const totp = URI.parse(setupUrl) as TOTP;
    const code = totp.generate({ timestamp: 3_000_000 });
    const stepAt = (ms: number) => {
      nowMs = ms;
      return codes.stepOf('app_1', sealed, code);
    };
    expect([2_970_000, 3_029_999, 3_030_000, 3_059_999].map(stepAt)).toEqual([100, 100, 100, 100]);
    expect([2_969_999, 3_060_000].map(stepAt)).toEqual([null, null]);
    expect(() => codes.stepOf('app_2', sealed, code)).toThrow('does not open');
    expect(codes.create('app_1').setupUrl).not.toBe(setupUrl);
  });
});
