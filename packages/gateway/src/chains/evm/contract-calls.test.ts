// Balances and tokens that cannot be asked: judged one by one, and never held against the node that says so.
import type { BlockReference } from '../port.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { type LyingStage, recipient, startLyingStage, tamper } from '@ducat/testkit/chains/evm/lying-stage';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { Unanswerable } from '../endpoint/unanswerable.ts';

let stage: LyingStage;
let reverting: string;
let invalid: string;
let final: BlockReference;
beforeAll(async () => {
  stage = await startLyingStage();
  reverting = await stage.payer.deploy(assemble(0, 0, 'REVERT'));
  invalid = await stage.payer.deploy('fe');
  const block = await stage.chainOf([stage.honest.url]).finalBlock(stage.block);
  if (block === null) throw new Error('nothing is final');
  final = block;
});
afterAll(() => stage.stop());
beforeEach(() => stage.liar.lie());

describe('balances', () => {
  it('cannot be told of a token that is not there, yet or at all, or that fails; no endpoint rests for it', async () => {
    const chain = stage.chainOf([stage.liar.url, stage.honest.url]);
    const later = await stage.payer.deploy(assemble('STOP'));
    for (const contract of [later, `0x${'77'.repeat(20)}`, reverting]) {
      for (let time = 0; time < 3; time++) {
        const failure = chain.balances([recipient], testCurrency(1009, contract), final);
        await expect(failure).rejects.toBeInstanceOf(Unanswerable);
        await expect(failure).rejects.toMatchObject({ retryable: false });
      }
    }
    expect(chain.health()).toMatchObject([{ healthy: true }, { healthy: true }]);
    expect(await chain.balances([recipient], testCurrency(1000, null, 18), final)).toHaveLength(1);
  });

  it.each(['0xzz', '0x', '0x00', `0x${'9'.repeat(85)}`, null, 7])('are a lie as %j', async (told) => {
    stage.liar.lie({ result: (method, result) => (method === 'eth_getBalance' ? told : result) });
    const coin = testCurrency(1000, null, 18);
    const chain = stage.chainOf([stage.liar.url]);
    const failure = chain.balances([recipient], coin, final);
    await expect(failure).rejects.toThrow(/no balance of/);
    await expect(failure).rejects.toBeInstanceOf(Outage);
    expect(chain.health()[0]?.healthy).toBe(false);
  });
});

describe('checkCurrencies', () => {
  it('judges each currency by itself, with the reason', async () => {
    const chain = stage.chainOf([stage.liar.url]);
    const broken = [testCurrency(1008, invalid), testCurrency(1009, reverting)];
    expect(await chain.checkCurrencies([...broken, ...stage.currencies])).toEqual([
      { currencyId: 1008, reason: expect.stringContaining('does not tell its decimals') },
      { currencyId: 1009, reason: expect.stringContaining('does not tell its decimals') },
    ]);
    expect(chain.health()).toMatchObject([{ healthy: true }]);
  });

  it('is an outage where the node does not serve the call', async () => {
    const busy = { code: -32_005, message: 'limit exceeded' };
    stage.liar.lie({
      body: (body, methods) =>
        methods[0] === 'eth_call'
          ? { body: JSON.stringify({ ...JSON.parse(body), result: undefined, error: busy }) }
          : { body },
    });
    await expect(stage.chainOf([stage.liar.url]).checkCurrencies(stage.currencies)).rejects.toThrow(Outage);
    stage.liar.lie({ result: tamper('eth_getCode', () => '0xzz') });
    await expect(stage.chainOf([stage.liar.url]).checkCurrencies(stage.currencies)).rejects.toThrow(
      /no code/,
    );
  });
});
