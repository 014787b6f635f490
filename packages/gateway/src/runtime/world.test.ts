// Chance of the real world: never the same bytes twice, of whatever length.
import { expect, it } from 'vitest';
import { realWorld } from './world.ts';

it('hands out every byte once, across the blocks in which they are drawn, and bytes of their own', () => {
  const parts = Array.from({ length: 2_000 }, () => realWorld.random(13));
  expect(new Set(parts.map((part) => Buffer.from(part).toString('hex'))).size).toBe(2_000);
  expect(new Set(parts.map(({ buffer }) => buffer)).size).toBe(2_000);
  expect(parts.every(({ byteLength, buffer }) => byteLength === 13 && buffer.byteLength === 13)).toBe(true);
});

it.each([Number.NaN, -1, 1.5])('throws for %d bytes, and goes on', (length) => {
  expect(() => realWorld.random(length)).toThrow();
  expect(new Set(realWorld.random(64)).size).toBeGreaterThan(16);
});

it.each([0, 1, 4_096, 4_097, 10_000])('gives %i bytes, which are not zeros', (length) => {
  const bytes = realWorld.random(length);
  expect(bytes).toHaveLength(length);
  if (length > 0) expect(new Set([...realWorld.random(64), ...bytes]).size).toBeGreaterThan(16);
});
