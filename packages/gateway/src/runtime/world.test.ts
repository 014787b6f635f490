// The real world: never the same bytes twice, of whatever length, and sleeps that a signal cuts short.
import { getEventListeners } from 'node:events';
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

it('sleeps until the time or the signal, leaves no listener, and never rejects', async () => {
  const stop = new AbortController();
  const listeners = () => getEventListeners(stop.signal, 'abort').length;
  await realWorld.sleep(1, stop.signal);
  expect(listeners()).toBe(0);
  const cut = [realWorld.sleep(60_000, stop.signal), realWorld.sleep(60_000, stop.signal)];
  expect(listeners()).toBe(2);
  stop.abort();
  await Promise.all(cut);
  expect(listeners()).toBe(0);
  await realWorld.sleep(60_000, stop.signal);
  await realWorld.sleep(0);
});
