// Value inside transactions: what two endpoints must agree on, and what a payer makes too large to trace.
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bloatCode, callCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { type LyingProxy, startLyingProxy, type TamperBody } from '@ducat/testkit/chains/evm/lying-proxy';
import {
  type LyingStage,
  put,
  recipient,
  startLyingStage,
  tamper,
  unstatedGenesis,
} from '@ducat/testkit/chains/evm/lying-stage';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import { createEvmChain } from './evm-chain.ts';

const stranger = `0x${'c1'.repeat(20)}`;
let stage: LyingStage;
let third: LyingProxy;
/** A block with a transaction that pays the stranger inside it. */
let paying: number;
beforeAll(async () => {
  stage = await startLyingStage();
  third = await startLyingProxy(stage.payer.chain.rpcUrl);
  paying = (await stage.payer.run(9n, ...callCode(stranger, 5n))).block;
});
afterAll(async () => {
  await third.stop();
  await stage.stop();
});
beforeEach(() => {
  stage.liar.lie();
  stage.honest.lie();
});

const invented = tamper(
  'debug_traceBlockByHash',
  put('0.result.calls', [{ type: 'CALL', from: stranger, to: recipient, value: '0x63' }]),
);
const hostOf = (proxy: LyingProxy): string => new URL(proxy.url).host;

describe('value inside transactions', () => {
  it('is stated as a gap where one endpoint alone tells it', async () => {
    const chain = stage.chainOf([stage.liar.url]);
    expect(chain.gaps()).toContain(
      'With one endpoint, nothing confirms value that moves inside transactions.',
    );
    const read = await chain.readBlock(paying, stage.currencies);
    expect(read?.transfers.map(({ to, amount }) => [to, unitsOf(amount)])).toContainEqual([stranger, 5n]);
    expect(stage.chainOf([stage.liar.url, stage.honest.url]).gaps()).toEqual([unstatedGenesis]);
  });

  it.each(['first', 'second'])('is not believed of one endpoint that invents it as the %s', async (place) => {
    stage.liar.lie({ result: invented });
    const urls = [stage.liar.url, stage.honest.url];
    const chain = stage.chainOf(place === 'first' ? urls : urls.toReversed());
    const failure = chain.readBlock(paying, stage.currencies);
    await expect(failure).rejects.toThrow(/disagree on what moved inside transaction 0/);
    await expect(failure).rejects.toThrow(hostOf(stage.liar));
    await expect(failure).rejects.toThrow(hostOf(stage.honest));
  });

  it('is what two endpoints of three agree on', async () => {
    const truth = await stage.chainOf([stage.honest.url]).readBlock(paying, stage.currencies);
    stage.liar.lie({ result: invented });
    const three = stage.chainOf([stage.liar.url, stage.honest.url, third.url]);
    expect(await three.readBlock(paying, stage.currencies)).toEqual(truth);
  });

  it('is no lie of an endpoint whose block a fork took meanwhile', async () => {
    const chain = stage.chainOf([stage.liar.url]);
    const other = await stage.payer.chain.rpc('eth_getBlockByNumber', ['0x1', false]);
    let isForked = false;
    const fitsAnother = tamper('debug_traceBlockByHash', put('0.result.value', '0x63'));
    stage.liar.lie({
      result: (method, result, params) => {
        isForked ||= method === 'debug_traceBlockByHash';
        if (isForked && method === 'eth_getBlockByNumber') return other;
        return fitsAnother(method, result, params);
      },
    });
    await expect(chain.readBlock(paying, stage.currencies)).rejects.toThrow(`has another block ${paying}`);
    expect(chain.health()).toMatchObject([{ healthy: true }]);
    stage.liar.lie();
    expect(await chain.readBlock(paying, stage.currencies)).not.toBeNull();
  });

  it('waits for the second endpoint where that is behind, and is an outage where it is down', async () => {
    const world = manualWorld();
    const chain = stage.chainOf([stage.honest.url, stage.liar.url], world);
    stage.liar.lie({
      result: (method, result) =>
        method === 'eth_blockNumber' ? '0x1' : method === 'eth_getBlockByNumber' ? null : result,
    });
    expect(await chain.readBlock(paying, stage.currencies)).toBeNull();
    expect(chain.health().every(({ healthy }) => healthy)).toBe(true);
    world.advance(15_000);
    await expect(chain.readBlock(paying, stage.currencies)).rejects.toThrow(
      /stands still, so nothing confirms/,
    );
    stage.liar.lie({ body: () => ({ status: 503, body: '' }) });
    await expect(chain.readBlock(paying, stage.currencies)).rejects.toThrow(/HTTP 503/);
    // That nothing moved inside is just what an endpoint says that hides a payment, so it is confirmed as well.
    await expect(chain.readBlock(stage.block, stage.currencies)).rejects.toThrow(/HTTP 503|rests/);
    // A block in which nothing can move inside needs no second endpoint.
    expect((await chain.readBlock(stage.block + 1, stage.currencies))?.transfers).toEqual([]);
  });

  it.each(['first', 'second'])('is not taken for nothing when the %s endpoint hides it', async (place) => {
    stage.liar.lie({ result: tamper('debug_traceBlockByHash', put('0.result.calls', [])) });
    const urls = [stage.liar.url, stage.honest.url];
    const chain = stage.chainOf(place === 'first' ? urls : urls.toReversed());
    await expect(chain.readBlock(paying, stage.currencies)).rejects.toThrow(/disagree on what moved inside/);
  });
});

describe('a transaction that a payer made too large to trace', () => {
  let bloated: number;
  let id: string;
  beforeAll(async () => {
    const pay = { to: recipient, value: 7n, gas: 21_000 };
    const inside = { data: `0x${assemble(...callCode(stranger, 5n), 'STOP')}`, value: 5n };
    await stage.payer.send(pay);
    await stage.payer.send(inside);
    ({ block: bloated, id } = await stage.payer.sendAndMine({ data: `0x${bloatCode()}`, gas: 2_000_000 }));
    const receipt = await stage.payer.chain.rpc('eth_getTransactionReceipt', [id]);
    expect(receipt).toMatchObject({ status: '0x1' });
  });
  it('is named, everything else of its block is read, and no endpoint rests for it', async () => {
    const rpcUrls = [stage.payer.chain.rpcUrl];
    const chain = createEvmChain({ definition: testDefinition(), rpcUrls, world: manualWorld() });
    const read = await chain.readBlock(bloated, stage.currencies);
    expect(chain.health()).toMatchObject([{ healthy: true, lastError: null }]);
    expect(read?.untraced).toEqual([{ txId: id, reason: 'too-much-to-trace' }]);
    const moved = read?.transfers.map(({ to, amount }) => `${to} ${unitsOf(amount)}`);
    expect(moved).toEqual(expect.arrayContaining([`${recipient} 7`, `${stranger} 5`]));
  }, 60_000);
});

describe('a node that gives up on a trace', () => {
  const timedOut = { txHash: '', error: 'execution timeout' };

  it('is asked for one transaction after the other', async () => {
    const truth = await stage.chainOf([stage.honest.url]).readBlock(paying, stage.currencies);
    stage.liar.lie({
      result: tamper('debug_traceBlockByHash', put('0', { ...timedOut, txHash: undefined })),
    });
    expect(await stage.chainOf([stage.liar.url]).readBlock(paying, stage.currencies)).toEqual(truth);
  });

  it('is waited for by one that can trace it, unless a third one can', async () => {
    stage.liar.lie({ body: givesUp });
    const two = stage.chainOf([stage.liar.url, stage.honest.url]);
    await expect(two.readBlock(paying, stage.currencies)).rejects.toThrow(
      /traces nothing now.*execution timeout/,
    );
    const urls = [stage.liar.url, stage.honest.url, third.url];
    const three = await stage.chainOf(urls).readBlock(paying, stage.currencies);
    expect(three).toEqual(await stage.chainOf([stage.honest.url]).readBlock(paying, stage.currencies));
  });

  it('is an outage where it does not trace at all, or is gone', async () => {
    stage.liar.lie({ body: failsTo('debug_trace', { code: -32_601, message: 'the method does not exist' }) });
    await expect(stage.chainOf([stage.liar.url]).readBlock(paying, stage.currencies)).rejects.toThrow(
      /the method does not exist/,
    );
    const silent = failsTo('debug_trace', { code: -32_000, message: 'request timed out' });
    stage.liar.lie({
      body: (body, methods) =>
        methods.includes('debug_traceTransaction')
          ? (stage.liar.lie({ body: () => ({ status: 500, body: '' }) }), { status: 504, body: '' })
          : silent(body, methods),
    });
    await expect(stage.chainOf([stage.liar.url]).readBlock(paying, stage.currencies)).rejects.toThrow(
      /traces nothing now: answered HTTP 504/,
    );
  });
});

const givesUp = failsTo('debug_trace', { code: -32_000, message: 'execution timeout' });

/** Answers every question for a method of that name with the error. */
function failsTo(name: string, error: unknown): TamperBody {
  return (body, methods) => {
    if (!methods.some((method) => method.startsWith(name))) return { body };
    const change = (answer: { readonly id: number }): unknown => ({ jsonrpc: '2.0', id: answer.id, error });
    const answers = JSON.parse(body);
    return { body: JSON.stringify(Array.isArray(answers) ? answers.map(change) : change(answers)) };
  };
}
