// Properties of signatures: the key that signed is found, and nothing that was changed passes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyThatSigned, sign } from './sign.ts';

const bodies = fc.uint8Array({ minLength: 1, maxLength: 100 });
const keys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 64 }), { minLength: 2, maxLength: 4 });
const TIMESTAMP = '1763626800';

describe('keyThatSigned', () => {
  it('is the key that signed, among any others', () => {
    fc.assert(
      fc.property(bodies, keys, fc.nat(), (body, all, pick) => {
        const key = all[pick % all.length] ?? '';
        expect(keyThatSigned(body, TIMESTAMP, sign(body, TIMESTAMP, key), all)).toBe(key);
        const upper = sign(body, TIMESTAMP, key).toUpperCase();
        expect(keyThatSigned(body, TIMESTAMP, upper, all)).toBe(key);
        const others = all.filter((each) => each !== key);
        expect(keyThatSigned(body, TIMESTAMP, sign(body, TIMESTAMP, key), others)).toBeNull();
      }),
    );
  });

  it('is nobody once a bit of the body, the time or the signature is another', () => {
    fc.assert(
      fc.property(bodies, fc.nat(), fc.nat({ max: 7 }), (body, at, bit) => {
        const signature = sign(body, TIMESTAMP, 'key');
        const changed = Uint8Array.from(body, (byte, index) =>
          index === at % body.length ? byte ^ (1 << bit) : byte,
        );
        expect(keyThatSigned(changed, TIMESTAMP, signature, ['key'])).toBeNull();
        expect(keyThatSigned(body, '1763626801', signature, ['key'])).toBeNull();
        const place = at % signature.length;
        const digit = (Number.parseInt(signature[place] ?? '0', 16) ^ (1 << (bit % 4))).toString(16);
        const forged = signature.slice(0, place) + digit + signature.slice(place + 1);
        expect(keyThatSigned(body, TIMESTAMP, forged, ['key'])).toBeNull();
      }),
    );
  });

  it('is nobody for what cannot be a signature', () => {
    fc.assert(
      fc.property(bodies, fc.string({ unit: 'binary', maxLength: 70 }), (body, text) => {
        expect(keyThatSigned(body, TIMESTAMP, text, ['key'])).toBeNull();
      }),
    );
  });
});
