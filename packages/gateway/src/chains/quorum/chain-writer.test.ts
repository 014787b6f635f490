// What several providers say together of money that is to leave.
import { amountOf } from '@ducat/core/money/amount';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import { describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { realWorld } from '../../runtime/world.ts';
import type { BroadcastAnswer, ChainWriter, ProviderWriter, TransferEstimate } from '../port/writer.ts';
import { createChainWriter } from './chain-writer.ts';

const definition = testDefinition();
const [coin] = definition.currencies;
if (coin === undefined) throw new Error('there is no coin');
const transfer = { from: '0xus', to: '0xthem', currency: coin, amount: amountOf(1000, 1n) };
const at = { number: 1, hash: '0x1' };
const away = (): Promise<never> => Promise.reject(new Outage('is away'));

function writerOf(...changes: readonly Partial<ProviderWriter>[]): ChainWriter {
  const writers = changes.map((change, index) => ({
    provider: `node${index}`,
    estimate: away,
    nextNonce: away,
    broadcast: away,
    knows: away,
    ...change,
  }));
  return createChainWriter({ definition, writers, world: realWorld });
}

const costing = (most: bigint): TransferEstimate => ({
  outcome: 'possible',
  expected: amountOf(1000, most),
  most: amountOf(1000, most),
  terms: { family: 'tron', feeLimit: most },
  shortOf: [],
});
const reverting: TransferEstimate = { outcome: 'impossible', reason: 'reverts', text: '' };
const estimating = (one: TransferEstimate) => ({ estimate: () => Promise.resolve(one) });

describe('an estimate', () => {
  it('is the dearest that is reported', async () => {
    const writer = writerOf(estimating(costing(5n)), estimating(costing(7n)), { estimate: away });
    expect(await writer.estimate(transfer)).toEqual(costing(7n));
  });

  it('is impossible where a quorum says so and nobody says otherwise', async () => {
    expect(await writerOf(estimating(reverting), estimating(costing(5n))).estimate(transfer)).toEqual(
      costing(5n),
    );
    expect(await writerOf(estimating(reverting), estimating(reverting)).estimate(transfer)).toEqual(
      reverting,
    );
    await expect(writerOf(estimating(reverting), {}).estimate(transfer)).rejects.toThrow('node1: is away');
  });
});

// hits mark: nonces-by-a-quorum
describe('a nonce', () => {
  const counting = (nonce: number) => ({ nextNonce: () => Promise.resolve(nonce) });
  it.each<readonly [readonly Partial<ProviderWriter>[], number | string]>([
    [[counting(5), counting(9), counting(5)], 5],
    [[counting(5), counting(9)], 'disagreement'],
    [[counting(5), {}], 'unavailable'],
    [[counting(5)], 5],
  ])('of %j', async (providers, nonce) => {
    const found = writerOf(...providers).nextNonce('0xus', at);
    expect(await found.catch((error: unknown) => Object(error).kind)).toBe(nonce);
  });
});

describe('a broadcast', () => {
  const answering = (outcome: BroadcastAnswer['outcome']) => ({
    broadcast: () => Promise.resolve({ outcome, text: outcome }),
  });
  it.each<readonly [readonly BroadcastAnswer['outcome'][], BroadcastAnswer['outcome']]>([
    [['accepted', 'refused'], 'accepted'],
    [['unknown', 'accepted'], 'accepted'],
    [['refused', 'unknown'], 'unknown'],
    [['refused', 'refused'], 'refused'],
  ])('with %j is %s', async (outcomes, together) => {
    expect(await writerOf(...outcomes.map(answering)).broadcast('00')).toMatchObject({ outcome: together });
  });
});

it('is known where all that answer have it', async () => {
  const knowing = (knows: boolean) => ({ knows: () => Promise.resolve(knows) });
  expect(await writerOf(knowing(true), {}).knows('0xaa')).toBe(true);
  expect(await writerOf(knowing(true), knowing(false)).knows('0xaa')).toBe(false);
  expect(await writerOf({}, {}).knows('0xaa')).toBe(false);
});
