// Tests of the SDK's signature against the published vectors.
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { describe, expect, it } from 'vitest';
import { isSignedBy, sign } from './sign.ts';

describe('sign', () => {
  it.each(signatureVectors)('fits the published vector "$name"', ({ appKey, timestamp, body, signature }) => {
    const bytes = new TextEncoder().encode(body);
    expect(sign(bytes, timestamp, appKey)).toBe(signature);
    expect(isSignedBy(bytes, timestamp, appKey, signature)).toBe(true);
    expect(isSignedBy(bytes, timestamp, appKey, signature.toUpperCase())).toBe(true);
  });

  it('does not accept what is cut, extended, changed or not hexadecimal', () => {
    const { appKey, timestamp, body, signature } = signatureVectors[0]!;
    const bytes = new TextEncoder().encode(body);
    const changed = (signature.startsWith('0') ? '1' : '0') + signature.slice(1);
    for (const bad of ['', signature.slice(0, 63), `${signature}0`, changed, `${signature.slice(0, 62)}zz`]) {
      expect(isSignedBy(bytes, timestamp, appKey, bad), bad).toBe(false);
    }
    expect(isSignedBy(bytes, timestamp, `${appKey}x`, signature)).toBe(false);
    expect(isSignedBy(bytes, '1763626801', appKey, signature)).toBe(false);
  });
});
