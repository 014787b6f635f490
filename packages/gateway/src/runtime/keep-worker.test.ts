// A bug ends the worker that met it, which begins anew after a pause that grows.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { expect, it } from 'vitest';
import { keepWorker } from './keep-worker.ts';

it('begins anew after a bug, each time later, until it is stopped', async () => {
  const clock = createHandClock(0);
  const stopping = new AbortController();
  const said: string[] = [];
  const say = (_: object, message: string) => void said.push(message);
  let [runs, bugs] = [0, 0];
  const run = () => Promise.reject(new Error(`bug ${++runs}`));
  const parts = {
    world: clock,
    log: { debug: say, info: say, warn: say, error: say },
    onBug: () => void bugs++,
  };
  const ended = keepWorker(parts, 'pay-ETH', stopping.signal, run);
  await waitUntil('the first bug', () => bugs === 1);
  clock.advance(1_000);
  await waitUntil('the second', () => bugs === 2);
  clock.advance(1_999);
  expect(runs).toBe(2);
  clock.advance(1);
  await waitUntil('the third', () => bugs === 3);
  stopping.abort();
  await ended;
  expect(said).toHaveLength(3);
});
