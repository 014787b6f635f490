// Tests that lines come out whole, however the bytes arrive, and never longer than the limit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './line-splitter.ts';

function split(maxBytes: number, chunks: readonly Uint8Array[]): string[] {
  const splitter = createLineSplitter(maxBytes);
  const out: string[] = [];
  for (const chunk of chunks) {
    for (const line of splitter.push(chunk)) {
      if (line === 'too-long') return [...out, 'TOO LONG'];
      out.push(Buffer.from(line).toString('utf8'));
    }
  }
  return out;
}

describe('createLineSplitter', () => {
  it('gives the same lines for any cutting of the same bytes', () => {
    const texts = fc.array(
      fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', '')),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (lines, size) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        expect(split(100, chunks)).toEqual(lines);
      }),
    );
  });

  it('takes a line of exactly the limit and refuses one byte more, whole or in drops', () => {
    const bytes = (count: number) => Buffer.from(`${'x'.repeat(count)}\n`);
    const drops = (count: number) => Array.from(bytes(count), (byte) => Buffer.from([byte]));
    expect(split(8, [bytes(8)])).toEqual(['xxxxxxxx']);
    expect(split(8, drops(8))).toEqual(['xxxxxxxx']);
    expect(split(8, [bytes(9)])).toEqual(['TOO LONG']);
    expect(split(8, drops(9))).toEqual(['TOO LONG']);
  });

  it('refuses an endless line without waiting for its end', () => {
    expect(split(8, [Buffer.from('ok\nxxxxxxxxx')])).toEqual(['ok', 'TOO LONG']);
  });
});
