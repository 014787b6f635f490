// What several providers say together of money that is to leave.
import type { StakeReport } from '@ducat/core/collection/stake-offer';
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
const amount = (units: bigint) => amountOf(1000, units);
const at = { number: 1, hash: '0x1' };
const away = (): Promise<never> => Promise.reject(new Outage('is away'));

function writerOf(...changes: readonly Partial<ProviderWriter>[]): ChainWriter {
  const writers = changes.map((change, index) => ({
    provider: `node${index}`,
    estimate: away,
    nextNonce: away,
    broadcast: away,
    knows: away,
    stakeOf: away,
    delegatedTo: away,
    sweepGround: away,
    ...change,
  }));
  return createChainWriter({ definition, writers, world: realWorld });
}

const costing = (most: bigint) =>
  ({
    outcome: 'possible' as const,
    expected: amountOf(1000, most),
    most: amountOf(1000, most),
    terms: { family: 'tron' as const, feeLimit: most },
    shortOf: [],
  }) satisfies TransferEstimate;
const reverting = { outcome: 'impossible', reason: 'reverts', text: '' } as const;
const estimating = (one: TransferEstimate) => ({ estimate: () => Promise.resolve(one) });

describe('an estimate', () => {
  it('is the dearer one of two, the middle one of three', async () => {
    const writer = writerOf(estimating(costing(5n)), estimating(costing(7n)), { estimate: away });
    expect(await writer.estimate(transfer)).toEqual(costing(7n));
    const three = [costing(7n), costing(900n), costing(5n)].map(estimating);
    expect(await writerOf(...three).estimate(transfer)).toEqual(costing(7n));
    const unaided = (most: bigint, coin: bigint) => ({
      expected: amount(most / 2n),
      most: amount(most),
      coin: amount(coin),
    });
    const said = [unaided(8n, 1n), unaided(900n, 70n), unaided(6n, 60n)].map((one) =>
      estimating({ ...costing(5n), unaided: one }),
    );
    expect(await writerOf(...said).estimate(transfer)).toEqual({ ...costing(5n), unaided: unaided(8n, 60n) });
  });

  // hits mark: no-provider-sets-a-fee
  it('takes gas and prices each for itself, of the kind that most say', async () => {
    const paying = (gasLimit: bigint, price: bigint, change: object = {}) => {
      const terms = { family: 'evm', gasLimit, priceThen: price, maxFeePerGas: price } as const;
      const most = amount(gasLimit * price);
      const all = { ...terms, maxPriorityFeePerGas: price / 10n, isLegacy: false, ...change };
      return { outcome: 'possible', expected: most, most, terms: all, shortOf: [] } as const;
    };
    const ask = async (...estimates: readonly TransferEstimate[]) =>
      writerOf(...estimates.map(estimating)).estimate(transfer);
    const honest = paying(78_000n, 20n);
    // Too little gas at a price that makes it the dearest.
    const short = await ask(honest, paying(21_000n, 150n));
    expect(short).toMatchObject({ terms: { gasLimit: 78_000n, maxFeePerGas: 150n } });
    const fair = await ask(honest, paying(21_000n, 150n), paying(78_000n, 21n));
    expect(fair).toMatchObject(paying(78_000n, 21n));
    const cheap = await ask(honest, paying(78_000n, 1n), honest);
    expect(cheap).toEqual(honest);
    const legacy = await ask(honest, paying(78_000n, 150n, { isLegacy: true }), honest);
    expect(legacy).toEqual(honest);
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

describe('a sweep', () => {
  const sweeping = (...units: readonly bigint[]) => estimating({ ...costing(5n), swept: units.map(amount) });

  it('moves of each address the least that is reported', async () => {
    const found = await writerOf(sweeping(3n, 9n), sweeping(4n, 0n), { estimate: away }).estimate(transfer);
    expect(found).toMatchObject({ swept: [amount(3n), amount(0n)] });
  });

  // hits mark: sweeps-need-a-quorum
  it('can be done only where a quorum says so', async () => {
    const sweep = { ...transfer, sweeping: { type: 'deploy' } } as const;
    const possible = estimating(costing(5n));
    expect(await writerOf(possible, possible, estimating(reverting)).estimate(sweep)).toEqual(costing(5n));
    for (const other of [estimating(reverting), { estimate: away }])
      expect(await writerOf(possible, other).estimate(sweep)).toMatchObject({ outcome: 'impossible' });
    await expect(writerOf({}, {}).estimate(sweep)).rejects.toThrow('node0: is away');
  });

  // hits mark: sweeps-by-a-quorum
  it('finds what a quorum reports alike', async () => {
    const ground = (nonce: number) => ({
      sweepGround: () =>
        Promise.resolve({ hasSweeper: true, accounts: [{ nonce, delegates: 'nowhere' as const }] }),
    });
    const ask = (writer: ChainWriter) => writer.sweepGround('0xwallet', ['0xus'], at);
    expect(await ask(writerOf(ground(0), ground(1), ground(1)))).toMatchObject({ accounts: [{ nonce: 1 }] });
    await expect(ask(writerOf(ground(0), ground(1)))).rejects.toThrow('needs 2 providers that agree');
    await expect(ask(writerOf(ground(0), {}))).rejects.toThrow('node1: is away');
    const none = { sweepGround: () => Promise.resolve(null) };
    expect(await ask(writerOf(none, none))).toBeNull();
  });
});

// hits mark: a-stake-by-a-quorum
describe('a stake', () => {
  const staker = { address: '41', permission: 2 };
  const offering = (stake: bigint, free: bigint): Partial<ProviderWriter> => {
    const offer = { staker, stake: amount(stake), free: amount(free), cost: amount(1n), rest: amount(0n) };
    return estimating({ ...costing(5n), offer });
  };
  const none = estimating({ ...costing(5n), offer: null });
  const asked = { ...transfer, offerOf: { staker, signer: '0xus' } };

  it('is offered where a quorum says so, the least of what they say', async () => {
    const both = await writerOf(offering(3n, 9n), offering(4n, 8n)).estimate(asked);
    expect(both).toMatchObject({ offer: { stake: amount(4n), free: amount(8n) } });
    expect(await writerOf(offering(3n, 9n), none).estimate(asked)).toMatchObject({ offer: null });
  });

  it('is delegated to whomever one of them names, by as much as a quorum reports', async () => {
    const at = (...all: readonly bigint[]) =>
      all.map((stake) => ({ stake: amount(stake), withoutLock: amount(stake / 2n) }));
    const reporting = (...all: readonly bigint[]) => ({ delegatedTo: () => Promise.resolve(at(...all)) });
    const asked = (...writers: readonly Partial<ProviderWriter>[]) =>
      writerOf(...writers).delegatedTo('staker', ['one', 'other']);
    expect(await asked(reporting(10n, 0n), reporting(1n, 90n))).toEqual(at(1n, 0n));
    expect(await asked(reporting(10n, 0n), reporting(1n, 90n), reporting(10n, 0n))).toEqual(at(10n, 0n));
    await expect(asked(reporting(10n, 0n), { delegatedTo: away })).rejects.toThrow('is away');
    const naming = (...receivers: readonly string[]) => ({
      stakeOf: () => Promise.resolve({ receivers } as unknown as StakeReport),
    });
    const key = { staker: { address: 'staker', permission: 2 }, signer: 'us' };
    const report = await writerOf(naming('one'), naming('other', 'one')).stakeOf(key);
    expect(report?.receivers.toSorted()).toEqual(['one', 'other']);
  });

  it('is used where a quorum says that it can be, and where they differ it waits', async () => {
    const delegation = { action: 'undelegate', staker } as const;
    const planned = { ...transfer, delegation };
    const gone = estimating({ ...reverting, stake: 'gone' });
    const can = estimating(costing(1n));
    const said = (...changes: readonly Partial<ProviderWriter>[]) => writerOf(...changes).estimate(planned);
    expect(await said(can, can, gone)).toMatchObject({ outcome: 'possible' });
    expect(await said(gone, gone, can)).toMatchObject({ stake: 'gone' });
    expect(await said(gone, can)).toMatchObject({ stake: 'disputed' });
    expect(await said(gone, {})).toMatchObject({ stake: 'disputed' });
    await expect(said({}, {})).rejects.toThrow('is away');
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
