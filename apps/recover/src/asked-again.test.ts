// An unreachable node is retried with growing pauses, and the person is shown why once the pauses are long.
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import { Outage } from '@ducat/gateway/runtime/outage';
import { expect, it } from 'vitest';
import { readingAgain } from './asked-again.ts';

function waitingFor(failures: readonly Error[]) {
  const left = [...failures];
  const [slept, said]: [number[], string[]] = [[], []];
  const head = (): Promise<number> => {
    const failure = left.shift();
    return failure === undefined ? Promise.resolve(7) : Promise.reject(failure);
  };
  const world = {
    nowMs: () => 0,
    random: (bytes: number) => new Uint8Array(bytes),
    sleep: (ms: number) => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
  // The tests call no other method of the node.
  const reader = { head } as ChainReader;
  return { node: readingAgain(reader, { world, say: (line) => said.push(line) }), slept, said };
}

const away = () => new Outage('ETH: node 1 does not answer', { kind: 'unavailable' });

it('says nothing of a short pause, and why it waits from four seconds on', async () => {
  const { node, slept, said } = waitingFor([away(), away(), away(), away(), away()]);
  expect(await node.head()).toBe(7);
  expect(slept).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  expect(said).toEqual(['waits 4 s: ETH: node 1 does not answer', 'waits 8 s: ETH: node 1 does not answer']);
});

it('gives up after some hundred seconds, with the reason of the last try', async () => {
  const { node, slept } = waitingFor(Array.from({ length: 8 }, away));
  await expect(node.head()).rejects.toThrow('node 1 does not answer');
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(96_500);
});

it('asks once where asking again cannot help', async () => {
  const { node, slept } = waitingFor([new Error('a bug')]);
  await expect(node.head()).rejects.toThrow('a bug');
  expect(slept).toEqual([]);
});
