// What becomes final of a block whose transactions cannot be proven: nothing by the word of one, by that of two its tokens.
import { describe, expect, it } from 'vitest';
import { unitsOf } from '@ducat/core/money/amount';
import { EndpointPool } from '../endpoint/endpoint-pool.ts';
import { realWorld } from '../../runtime/world.ts';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { tokenHex, tokenLog } from '@ducat/testkit/chains/tron/read-bytes';
import {
  bytes,
  type MinedBytes,
  mineBytes,
  ownerHex,
  rawAround,
  succeeded,
  transferPayload,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { TronEndpoint } from './endpoint.ts';
import type { NodeApi } from './node-api.ts';
import { readSolid } from './read-solid.ts';
import { watchedOf } from './watched.ts';

const height = 9;
const watched = watchedOf([testCurrency(1000, null)], 'debug');
const raw = rawAround(1, 'TransferContract', transferPayload(5));
/** A result that is shown without one of its fields, as some node might. */
const hidden: MinedBytes = { raw, ret: [{ bytes: '18017801', json: succeeded.json }] };
const mined = mineBytes(height, [hidden]);

type Change = (call: string, answer: unknown) => unknown;

function poolOf(...changes: readonly Change[]): EndpointPool<TronEndpoint> {
  const endpoints = changes.map((change, index) => {
    const api: NodeApi = (call, { id_or_num }) =>
      Promise.resolve(
        change(
          call === 'getblock' ? `${call} ${String(id_or_num)}` : call,
          call === 'gettransactioninfobyblocknum' ? mined.receipts : mined.block,
        ),
      );
    const more = { full: api, solid: api, unhurried: { full: api, solid: api } };
    return new OnAnyChain({
      name: `node#${index + 1}`,
      ...more,
      definition: testDefinition({ family: 'tron' }),
      world: realWorld,
    });
  });
  return new EndpointPool('TRON', endpoints);
}

class OnAnyChain extends TronEndpoint {
  protected override checkIdentity(): Promise<void> {
    return Promise.resolve();
  }
}

const honest: Change = (_, answer) => answer;
const read = (...changes: readonly Change[]) => readSolid(poolOf(...changes), 'TRON', height, watched);

describe('a solid block whose transactions do not give its root', () => {
  it('is not believed of one endpoint', async () => {
    // hits mark: unproven-takes-two
    await expect(read(honest)).rejects.toThrow(/node#1 the transactions of block 9 do not give its root/);
  });

  it('rests nobody, however often it is read', async () => {
    const pool = poolOf(honest);
    for (let time = 0; time < 5; time++)
      await expect(readSolid(pool, 'TRON', height, watched)).rejects.toMatchObject({
        kind: 'unreadable-block',
      });
    expect(pool.health()).toMatchObject([{ healthy: true }]);
  });

  it('is a block of which no TRX counts where two endpoints tell every byte alike', async () => {
    const block = await read(honest, honest);
    expect(block.header.hash).toBe(mined.id);
    expect(block.transfers).toEqual([]);
    expect(block.untraced).toEqual([{ txId: mined.txIds[0], reason: 'unproven' }]);
  });

  it.each<readonly [string, Change]>([
    [
      'a receipt',
      (call, answer) =>
        call === 'gettransactioninfobyblocknum' ? [{ ...mined.receipts[0], fee: 1n }] : answer,
    ],
    [
      'a result',
      (call, answer) =>
        call === 'getblockbynum'
          ? { ...mined.block, transactions: [{ ...first(), ret: [{ contractRet: 'REVERT' }] }] }
          : answer,
    ],
  ])('is not taken where they differ in %s', async (_, change) => {
    await expect(read(honest, change)).rejects.toThrow(
      /disagree on what moved in block 9: node#1 and node#2/,
    );
  });

  it('counts the tokens that two endpoints tell alike, and none where their receipts differ', async () => {
    const call = rawAround(31, 'TriggerSmartContract', bytes(1, ownerHex) + bytes(2, tokenHex));
    const receipt = { log: [tokenLog] };
    const { ret = [] } = hidden;
    const tokens = mineBytes(height, [{ raw: call, ret, executed: 'SUCCESS', receipt }]);
    const telling =
      (more: object): Change =>
      (asked) =>
        asked === 'gettransactioninfobyblocknum' ? [{ ...tokens.receipts[0], ...more }] : tokens.block;
    const both = watchedOf([testCurrency(1000, null), testCurrency(1001, tokenHex)], 'debug');
    const readTokens = (...changes: readonly Change[]) => readSolid(poolOf(...changes), 'TRON', height, both);
    const block = await readTokens(telling({}), telling({}));
    expect(block.transfers.map(({ position, amount }) => [position, unitsOf(amount)])).toEqual([
      ['log:0', 5n],
    ]);
    expect(block.untraced).toEqual([{ txId: tokens.txIds[0], reason: 'unproven' }]);
    await expect(readTokens(telling({}))).rejects.toThrow('do not give its root');
    const forged = { log: [{ ...tokenLog, data: '9'.padStart(64, '0') }] };
    for (const more of [forged, { result: 'FAILED' }, { receipt: { result: 'REVERT' } }])
      await expect(readTokens(telling({}), telling(more))).rejects.toThrow('disagree on what moved');
  });

  it('is counted where two others can show all of it', async () => {
    const whole: Change = (call, answer) =>
      call === 'getblockbynum'
        ? {
            ...mined.block,
            transactions: [{ ...first(), ret: [{ ...succeeded.json, withdraw_amount: 1n }] }],
          }
        : answer;
    const block = await read(honest, whole, whole);
    expect(block.transfers.map(({ amount }) => unitsOf(amount))).toEqual([5n]);
    expect(block.untraced).toEqual([]);
  });
});

function first(): object {
  const { transactions } = mined.block;
  const [transaction] = Array.isArray(transactions) ? transactions : [];
  return transaction;
}
