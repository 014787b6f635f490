// Properties of the signature text: whatever is changed, another text is signed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isTimestamp,
  isTimestampCurrent,
  signedBytes,
  timestampText,
  timestampWindowSeconds,
} from './signature.ts';

const bodies = fc.uint8Array({ maxLength: 200 });
const times = fc.integer({ min: 0, max: 9_999_999_999 });
const keys = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' });

const hex = (body: Uint8Array, time: number, key: string) =>
  Buffer.from(signedBytes(body, timestampText(time), key)).toString('hex');

describe('signedBytes', () => {
  it('is the body, then ten digits, then the key, byte by byte', () => {
    fc.assert(
      fc.property(bodies, times, keys, (body, time, key) => {
        const parts = [Buffer.from(body), Buffer.from(String(time).padStart(10, '0')), Buffer.from(key)];
        expect(hex(body, time, key)).toBe(Buffer.concat(parts).toString('hex'));
      }),
    );
  });

  it('is never the same for another body or another time under one key', () => {
    // What stands at the end of one body may look like the timestamp of the other.
    const pair = fc.tuple(bodies, times, bodies, times).map(([body, time, tail, other]) => {
      const longer = Buffer.concat([body, Buffer.from(timestampText(time)), tail]);
      return { body, time, longer, other };
    });
    fc.assert(
      fc.property(pair, keys, ({ body, time, longer, other }, key) => {
        expect(hex(body, time, key)).not.toBe(hex(longer, other, key));
        if (time !== other) expect(hex(body, time, key)).not.toBe(hex(body, other, key));
      }),
    );
  });
});

describe('timestamps', () => {
  it('are ten digits, and current exactly within the window to either side', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: -300, max: 300 }), (time, offset) => {
        const text = timestampText(time);
        expect(isTimestamp(text)).toBe(true);
        expect(isTimestampCurrent(text, time + offset)).toBe(Math.abs(offset) <= timestampWindowSeconds);
      }),
    );
  });

  it('are nothing else than ten ASCII digits', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9 +.eE-]{8,12}$/));
    fc.assert(
      fc.property(texts, (text) => {
        const isTen = text.length === 10 && text.replaceAll(/[0123456789]/g, '') === '';
        expect(isTimestamp(text)).toBe(isTen);
      }),
    );
  });
});
