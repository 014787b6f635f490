// What strangers and forks leave in receipts: it costs a node nothing, and nobody but the transaction that it stands in.
import { describe, expect, it } from 'vitest';
import {
  call,
  height,
  paid,
  readBytes,
  reasons,
  tellBytes,
  tokenHex,
  tokenLog,
  transfer,
} from '@ducat/testkit/chains/tron/read-bytes';
import {
  bytes,
  mineBytes,
  number,
  ownerHex,
  recipientHex,
  transferPayload,
} from '@ducat/testkit/chains/tron/tron-bytes';

const elsewhere = 'd'.repeat(40);
const strange = call(bytes(1, ownerHex) + bytes(2, `41${elsewhere}`));
const honest = {
  raw: call(bytes(1, ownerHex) + bytes(2, tokenHex)),
  executed: 'SUCCESS',
  receipt: { log: [tokenLog] },
};
const note = (text: string) => Buffer.from(text).toString('hex');
const inner = {
  caller_address: tokenHex,
  transferTo_address: recipientHex,
  callValueInfo: [{ callValue: 3n }],
  note: note('call'),
};

describe("a stranger's call", () => {
  it.each<readonly [string, object, string]>([
    ['a log of 19 bytes', { log: [{ ...tokenLog, address: 'd'.repeat(38) }] }, 'unclear-receipt'],
    ['a log of 21 bytes', { log: [{ ...tokenLog, address: `41${elsewhere}` }] }, 'unclear-receipt'],
    ['a log of nobody', { log: [{}] }, 'unclear-receipt'],
    ['a result that is not known here', { result: 'SUCCESS' }, 'unclear-receipt'],
    ['a result that failed', { result: 'FAILED' }, 'unclear-receipt'],
    ['no result of its code', { receipt: {} }, 'unclear-receipt'],
    ['a cost that is none', { receipt: 'SUCCESS' }, 'unclear-receipt'],
    ['another result of its code', { receipt: { result: 'REVERT' } }, 'unclear-receipt'],
    ['a note in plain text', { internal_transactions: [{ ...inner, note: 'call' }] }, 'unclear-inner'],
    ['a note of nothing', { internal_transactions: [{ ...inner, note: undefined }] }, 'unclear-inner'],
    ['a rejection in words', { internal_transactions: [{ ...inner, rejected: 'false' }] }, 'unclear-inner'],
    [
      'a value above all that can be counted',
      { internal_transactions: [{ ...inner, callValueInfo: [{ callValue: 2n ** 63n }] }] },
      'unclear-inner',
    ],
    [
      'a value in words',
      { internal_transactions: [{ ...inner, callValueInfo: [{ callValue: '3' }] }] },
      'unclear-inner',
    ],
    [
      'values that are no list',
      { internal_transactions: [{ ...inner, callValueInfo: 3n }] },
      'unclear-inner',
    ],
    [
      'an address in another form',
      { internal_transactions: [{ ...inner, transferTo_address: 'TAUN6FwrnwwmaEqYcckffC7wYmbaS6cBiX' }] },
      'unclear-inner',
    ],
  ])('with %s is named, and the payment beside it counts', async (_, receipt, reason) => {
    const mined = [{ raw: strange, executed: 'SUCCESS', receipt: { ...receipt } }, honest];
    const block = await readBytes(...mined);
    expect(paid(block)).toEqual([`${recipientHex} 5`]);
    expect(block.untraced).toEqual([{ txId: mineBytes(height, mined).txIds[0], reason }]);
  });

  it('that is odd in two ways is named for both', async () => {
    const receipt = { log: [{}, tokenLog], internal_transactions: [inner, { ...inner, note: 'call' }] };
    const block = await readBytes({ raw: strange, executed: 'SUCCESS', receipt });
    expect(block.transfers.map(({ position }) => position)).toEqual(['log:1']);
    expect(reasons(block)).toEqual(['unclear-receipt', 'unclear-inner']);
  });

  it('says nothing of a node by what it logs about freezing, whatever stands there', async () => {
    const frozen = { note: note('freezeBalanceV2ForEnergy'), rejected: 'no', callValueInfo: 7n };
    const block = await readBytes({
      raw: strange,
      executed: 'SUCCESS',
      receipt: { internal_transactions: [frozen, inner] },
    });
    expect(block.transfers.map(({ position }) => position)).toEqual(['inner:0.0']);
    expect(block.untraced).toEqual([]);
  });
});

describe('a log of a watched token', () => {
  it.each<readonly [string, object]>([
    ['its address as accounts have it', { address: tokenHex }],
    ['its address with a prefix', { address: `0x${tokenHex.slice(2)}` }],
    ['its address in letters', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
    ['a number for its address', { address: 5n }],
    ['topics that are none', { topics: 'Transfer' }],
    ['a topic of 31 bytes', { topics: ['0'.repeat(62)] }],
  ])('that a node tells with %s is an error of the node', async (_, change) => {
    const log = { ...tokenLog, ...change };
    await expect(readBytes({ ...honest, receipt: { log: [log] } })).rejects.toThrow('answered with');
  });
});

describe('a receipt that a fork switch left behind', () => {
  const failed = [{ bytes: '1802', json: { contractRet: 'REVERT' } }];

  it('of a call that succeeded counts its proven value alone, and is named', async () => {
    const raw = call(bytes(1, ownerHex) + bytes(2, tokenHex) + number(3, 9));
    const stale = { result: 'FAILED', log: [tokenLog], internal_transactions: [inner] };
    const block = await readBytes({ raw, executed: 'OUT_OF_ENERGY', receipt: stale });
    expect(paid(block)).toEqual([`${tokenHex} 9`]);
    expect(reasons(block)).toEqual(['unclear-receipt']);
  });

  it('of a call that failed counts nothing: that it failed is proven', async () => {
    const block = await readBytes({ ...honest, ret: failed });
    expect(block).toMatchObject({ transfers: [], untraced: [] });
  });

  it('takes nothing from a transfer, which is proven without it', async () => {
    const block = await readBytes({ raw: transfer(transferPayload(5)), receipt: { result: 'FAILED' } });
    expect(paid(block)).toEqual([`${recipientHex} 5`]);
    expect(block.untraced).toEqual([]);
  });
});

describe('a block whose transactions do not give its root', () => {
  const hidden = { bytes: '18017801', json: { contractRet: 'SUCCESS' } };

  it('counts the tokens that were told with success, and names every transaction', async () => {
    const value = { raw: call(bytes(1, ownerHex) + bytes(2, tokenHex) + number(3, 9)), executed: 'SUCCESS' };
    const mined = [
      { ...honest, ret: [hidden] },
      { ...value, receipt: { log: [tokenLog], internal_transactions: [inner] } },
      { raw: transfer(transferPayload(77)) },
    ];
    const { block, unproven } = await tellBytes(mined);
    expect(unproven).toMatch(/^[0-9a-f]{64}$/);
    expect(block.transfers.map(({ position }) => position)).toEqual(['log:0', 'log:0']);
    expect(block.untraced).toEqual(
      mineBytes(height, mined).txIds.map((txId) => ({ txId, reason: 'unproven' })),
    );
  });

  it.each<readonly [string, object]>([
    ['failed by its result', { ret: [{ bytes: '18027801', json: { contractRet: 'REVERT' } }] }],
    ['has no result', { ret: [{ bytes: '18017801', json: {} }] }],
    ['failed by its receipt', { executed: 'OUT_OF_ENERGY' }],
    ['failed by the end of its receipt', { receipt: { log: [tokenLog], result: 'FAILED' } }],
    ['is of another type', { raw: transfer(transferPayload(5)) }],
  ])('counts none of a transaction that %s', async (_, change) => {
    const { block, unproven } = await tellBytes([{ ...honest, ret: [hidden], ...change }]);
    expect(unproven).not.toBeNull();
    expect(block.transfers).toEqual([]);
    expect(reasons(block)).toEqual(['unproven']);
  });
});
