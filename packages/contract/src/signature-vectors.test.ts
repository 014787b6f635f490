// Tests of the signature text against its published vectors.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSignature, isTimestamp, isTimestampCurrent, signedBytes, timestampText } from './signature.ts';
import { signatureVectors } from './signature-vectors.ts';

describe('the signature', () => {
  it.each(signatureVectors)('fits the vector "$name"', ({ appKey, timestamp, body, signature }) => {
    const message = signedBytes(new TextEncoder().encode(body), timestamp, appKey);
    expect(createHmac('sha256', appKey).update(message).digest('hex')).toBe(signature);
  });

  it('is published with the same vectors in the documentation', () => {
    const file = new URL('../../../docs/integrate/signature-vectors.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8')).vectors).toEqual(signatureVectors);
  });

  it('takes timestamps of ten ASCII digits within two minutes to either side', () => {
    for (const bad of [
      '',
      '176362680',
      '17636268000',
      '176362680a',
      ' 763626800',
      '١٧٦٣٦٢٦٨٠٠',
      '1763626800\n',
      '-763626800',
    ]) {
      expect(isTimestamp(bad), bad).toBe(false);
    }
    expect(isTimestampCurrent('1763626800', 1763626920)).toBe(true);
    expect(isTimestampCurrent('1763626800', 1763626680)).toBe(true);
    expect(isTimestampCurrent('1763626800', 1763626921)).toBe(false);
    expect(isTimestampCurrent('1763626800', 1763626679)).toBe(false);
    expect(timestampText(1763626800.9)).toBe('1763626800');
  });

  it('takes signatures of 64 hexadecimal characters in either case', () => {
    expect(isSignature('aB'.repeat(32))).toBe(true);
    for (const bad of ['', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), `${'a'.repeat(64)}\n`]) {
      expect(isSignature(bad)).toBe(false);
    }
  });
});
