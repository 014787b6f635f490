// One endpoint: what it says never becomes a bug of ours, and what is too large is read again alone.
import { describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import { Unanswerable } from '../endpoint/unanswerable.ts';
import { Endpoint } from './endpoint.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { Rpc } from './rpc.ts';
import { TooMuch } from '../endpoint/too-much.ts';

const rpcNamed = (name: string): Rpc => ({ name, call: async () => '0x7a69', batch: async () => [] });

function endpointOf(): Endpoint {
  const rpcOf = (maxBodyBytes: number): Rpc => rpcNamed(`${maxBodyBytes}`);
  return new Endpoint({ name: 'node', rpcOf, definition: testDefinition(), world: manualWorld() });
}

describe('Endpoint', () => {
  it('takes whatever goes wrong with an answer for a lie, and keeps the cause', async () => {
    const endpoint = endpointOf();
    const failure = endpoint.run(async () => BigInt('0xzz'));
    await expect(failure).rejects.toBeInstanceOf(LyingNode);
    await expect(failure).rejects.toMatchObject({ cause: expect.any(SyntaxError) });
    expect(endpoint.health()).toMatchObject({ healthy: false, lastError: expect.stringContaining('read') });
  });
  it('does not rest for a question that has no answer', async () => {
    const endpoint = endpointOf();
    for (let time = 0; time < 4; time++) {
      const failure = endpoint.run(() => Promise.reject(new Unanswerable('no such token')));
      await expect(failure).rejects.toThrow(Unanswerable);
    }
    expect(endpoint.health()).toMatchObject({ healthy: true, lastError: null });
  });
  it('reads whole and at the same time, and what is too much in parts and one by one', async () => {
    const endpoint = endpointOf();
    const seen: string[] = [];
    let wide = 0;
    const reads = [1, 2, 3].map(() =>
      endpoint.read(endpoint.startReading(), async ({ rpc, inParts }) => {
        seen.push(`${rpc.name} ${inParts}`);
        if (!inParts) throw new TooMuch('too large');
        expect(++wide).toBe(1);
        await Promise.resolve();
        wide--;
      }),
    );
    await Promise.all(reads);
    expect(seen).toEqual([...Array(3).fill('16777216 false'), ...Array(3).fill('67108864 true')]);
    await expect(
      endpoint.read(endpoint.startReading(), () => Promise.reject(new Outage('down', { retryable: true }))),
    ).rejects.toThrow('down');
  });
});
