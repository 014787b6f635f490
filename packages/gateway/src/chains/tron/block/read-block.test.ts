// What a node can answer about a block: what is not believed, what costs nothing but the answer, and what is left out.
import {
  minedChain,
  PlainAnswer,
  type Tamper,
  tokenHex,
  tokenLog,
} from '@ducat/testkit/chains/tron/mined-node';
import {
  callOf,
  minedBlock,
  moved,
  openNode,
  readMined,
  transfer,
} from '@ducat/testkit/chains/tron/read-mined';
import {
  ownerHex,
  recipientHex,
  transferPayload,
  type TronJson,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { describe, expect, it } from 'vitest';

const internal = {
  caller_address: tokenHex,
  transferTo_address: recipientHex,
  note: Buffer.from('call').toString('hex'),
  callValueInfo: [{ callValue: 3n }],
};
const payment = { raw: transfer(transferPayload(7)) };
const call = {
  raw: callOf(ownerHex, tokenHex),
  executed: 'SUCCESS',
  receipt: { log: [tokenLog], internal_transactions: [internal] },
};
const both = [`value ${recipientHex} 7`, `log:0 ${recipientHex} 5`];
const onlyTokens = [`log:0 ${recipientHex} 5`];

/** Changes the answers to one method. Where a request names a block, only those for the mined block are changed. */
function changing(method: string, change: (answer: TronJson) => unknown): Tamper {
  return (one, { num }, honest) =>
    one.endsWith(`/${method}`) && (num === undefined || num === minedBlock)
      ? change(honest as TronJson)
      : undefined;
}

/** Changes the first transaction of the block, or the receipt of the call. */
const inTransaction = (change: TronJson): Tamper =>
  changing('getblockbynum', (block) => {
    const [first, ...rest] = block['transactions'] as TronJson[];
    return { ...block, transactions: [{ ...first, ...change }, ...rest] };
  });
const inReceipt = (change: TronJson): Tamper =>
  changing('gettransactioninfobyblocknum', (answer) => {
    const [first, second] = answer as unknown as TronJson[];
    return [first, { ...second, ...change }];
  });
const inHeader = (change: TronJson): Tamper =>
  changing('getblockbynum', (block) => {
    const { raw_data } = block['block_header'] as { raw_data: TronJson };
    return { ...block, block_header: { raw_data: { ...raw_data, ...change } } };
  });
const withReceipts = (answer: unknown): Tamper => changing('gettransactioninfobyblocknum', () => answer);

it.each<readonly [string, Tamper, string]>([
  [
    'another id of a transaction',
    inTransaction({ txID: '0'.repeat(64) }),
    'not have the id that it is given',
  ],
  ['raw bytes that were cut', inTransaction({ raw_data_hex: '0a' }), 'not have the id that it is given'],
  ['raw bytes in letters', inTransaction({ raw_data_hex: 'zz' }), 'not a number of bytes as hex'],
  [
    'raw bytes whose last digit is none',
    inTransaction({ raw_data_hex: '\u0130\u0130' }),
    'not a number of bytes',
  ],
  ['no raw bytes', inTransaction({ raw_data_hex: undefined }), 'not a number of bytes as hex'],
  ['another signature', inTransaction({ signature: ['00'.repeat(65)] }), 'do not give its root'],
  ['signatures that are no list', inTransaction({ signature: '00' }), 'no list'],
  ['no result', inTransaction({ ret: undefined }), 'do not give its root'],
  ['another result', inTransaction({ ret: [{ contractRet: 'REVERT' }] }), 'do not give its root'],
  ['results that are none', inTransaction({ ret: ['SUCCESS'] }), 'no list of objects'],
  [
    'no transactions',
    changing('getblockbynum', (block) => ({ ...block, transactions: undefined })),
    'give its root',
  ],
  ['another header', inHeader({ version: 1n }), 'does not give its id'],
  ['a header with a field that is not known', inHeader({ bonus: 1n }), 'has a field that is not known here'],
  ['no id', changing('getblockbynum', () => ({ block_header: {} })), 'a block without id'],
  ['a list for a block', changing('getblockbynum', () => []), 'a block that is no object'],
  ['too few receipts', withReceipts([{}]), '1 receipts for 2 transactions'],
  ['receipts that are none', withReceipts({ id: 1n }), 'no list of objects'],
  [
    'a receipt of another transaction',
    inReceipt({ id: '1'.repeat(64) }),
    'not in the order of its transactions',
  ],
  ['a receipt of another block', inReceipt({ blockNumber: 3n }), 'is from another block'],
  ['a receipt of another time', inReceipt({ blockTimeStamp: 3n }), 'is from another block'],
  ['a fee below zero', inReceipt({ fee: -1n }), 'a fee below zero'],
  ['a fee in words', inReceipt({ fee: '1' }), 'a fee that is no integer'],
  ['a log of nobody', inReceipt({ log: [{}] }), 'not 20 bytes'],
  [
    'a log whose address has a prefix',
    inReceipt({ log: [{ ...tokenLog, address: tokenHex }] }),
    'not 20 bytes',
  ],
  ['a log whose address is a number', inReceipt({ log: [{ ...tokenLog, address: 5n }] }), 'not 20 bytes'],
  [
    'topics that are none',
    inReceipt({ log: [{ ...tokenLog, topics: 'Transfer' }] }),
    'topics that are no list',
  ],
  ['a topic of 31 bytes', inReceipt({ log: [{ ...tokenLog, topics: ['0'.repeat(62)] }] }), 'not 32 bytes'],
  ['a number with a fraction', inReceipt({ fee: 1.5 }), 'a fee that is no integer'],
  ['truncated JSON', withReceipts(new PlainAnswer(200, '[{"id":"')), 'malformed or truncated JSON'],
  [
    'an error instead of receipts',
    withReceipts({ Error: 'class X : null' }),
    'answered error: class X : null',
  ],
])('an answer with %s is invalid', async (_, tamper, message) => {
  const { node, read } = openNode([payment, call]);
  node.tamper = tamper;
  await expect(read()).rejects.toMatchObject({ kind: 'invalid', message: expect.stringContaining(message) });
  // What answers after a failure proves itself anew, and is believed.
  node.tamper = null;
  expect(moved(await read())).toEqual(both);
});

it.each<readonly [string, unknown]>([
  ['an empty list', []],
  ['an empty object', {}],
])('receipts that are %s are not there yet, as nodes answer so while they lack it', async (_, answer) => {
  const { node, reader } = openNode([payment, call]);
  node.tamper = withReceipts(answer);
  expect(await reader.block(minedBlock, { currencies: [], txIds: new Set() })).toBeNull();
});

it.each<readonly [string, TronJson]>([
  ['failed by its result', { result: 'FAILED' }],
  ['is not known', { result: 'SUCCESS' }],
  ['has no result of its code', { receipt: {} }],
  ['has another result of its code', { receipt: { result: 'OUT_OF_ENERGY' } }],
  ['has text for its cost', { receipt: 'SUCCESS' }],
])('a receipt that %s shows no tokens, as nodes keep receipts of other branches', async (_, change) => {
  const { node, read } = openNode([payment, call]);
  node.tamper = inReceipt(change);
  const block = await read();
  expect(moved(block)).toEqual([`value ${recipientHex} 7`]);
  expect(block).toMatchObject({ proposals: [] });
});

it('a block without transactions needs no receipts', async () => {
  const { node, read } = openNode([]);
  expect(await read()).toMatchObject({ transfers: [] });
  expect(node.asked).not.toContain('wallet/gettransactioninfobyblocknum');
});

it('what the JSON says beside the bytes is ignored', async () => {
  const { node, read } = openNode([payment, call]);
  node.tamper = inTransaction({ raw_data: { contract: [] } });
  expect(moved(await read())).toEqual(both);
});

it('what internal transactions show is proposed, and nothing of it is believed', async () => {
  const { proposals } = await readMined(payment, call);
  expect(moved({ transfers: proposals })).toEqual([`internal:0.0 ${recipientHex} 3`]);
});

describe('receipts that are too large at once', () => {
  const tooLarge: Tamper = (one) => (one.endsWith('infobyblocknum') ? new PlainAnswer(413) : undefined);

  it('are read one by one', async () => {
    const { node, read } = openNode([payment, call]);
    node.tamper = tooLarge;
    expect(moved(await read())).toEqual(both);
    expect(node.asked.filter((one) => one.endsWith('infobyid'))).toHaveLength(2);
  });

  it.each<readonly [string, TronJson, string, string]>([
    ['another id', { id: '1'.repeat(64) }, 'invalid', 'not in the order'],
    ['another block', { blockNumber: 1n }, 'invalid', 'from another block'],
  ])('are invalid with %s', async (_, change, kind, message) => {
    const { node, read } = openNode([payment, call]);
    const one = changing('gettransactioninfobyid', (receipt) => ({ ...receipt, ...change }));
    node.tamper = (...asked) => tooLarge(...asked) ?? one(...asked);
    await expect(read()).rejects.toMatchObject({ kind, message: expect.stringContaining(message) });
  });
});

describe('a block that cannot be printed', () => {
  const error: Tamper = changing('getblockbynum', () => ({ Error: 'class JSONException : 0x00000005' }));
  /** A field beside those of a transaction, which the node prints and nobody here can hash. */
  const unknown = inTransaction({ 99: ['abcd'] });

  it.each<readonly [string, Tamper]>([
    ['an error', error],
    ['no JSON', changing('getblockbynum', () => new PlainAnswer(200, '{"transactions":[0x00000005]}'))],
    ['too much', changing('getblockbynum', () => new PlainAnswer(413))],
    ['a field that is not known', unknown],
    ['more in a result than nodes write', inTransaction({ ret: [{ contractRet: 'SUCCESS', fee: 5n }] })],
    ['a result that is not known', inTransaction({ ret: [{ contractRet: 'FINE' }] })],
  ])('by %s has its header and the tokens of its receipts', async (_, tamper) => {
    const { node, read, reader } = openNode([payment, call]);
    await reader.finalHeight();
    node.tamper = tamper;
    const block = await read();
    expect(moved(block)).toEqual(onlyTokens);
    expect(block).toMatchObject({ proposals: [] });
    expect(block.header).toEqual(await reader.header(minedBlock));
  });

  it('shows transactions of ours one by one', async () => {
    const { node, read, txIds } = openNode([payment, call]);
    node.tamper = error;
    const block = await read(new Set(txIds.slice(0, 1)));
    expect(moved(block)).toEqual(both);
    expect(block.inclusions).toMatchObject([{ txId: txIds[0], status: 'succeeded', payer: ownerHex }]);
    node.tamper = (...asked) =>
      error(...asked) ??
      changing('gettransactionbyid', (one) => ({ ...one, raw_data_hex: '0a00' }))(...asked);
    await expect(read(new Set(txIds.slice(0, 1)))).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('takes no tokens of what failed, and no receipts twice', async () => {
    const { node, read } = openNode([payment, call]);
    node.tamper = (...asked) => error(...asked) ?? inReceipt({ receipt: { result: 'REVERT' } })(...asked);
    expect(moved(await read())).toEqual([]);
    node.tamper = (...asked) =>
      error(...asked) ??
      changing('gettransactioninfobyblocknum', (all) => [
        ...(all as unknown as TronJson[]),
        ...(all as unknown as TronJson[]),
      ])(...asked);
    await expect(read()).rejects.toThrow('repeat a transaction');
  });

  it.each<readonly [string, Tamper]>([
    ['receipts either', withReceipts({ Error: 'class JSONException' })],
    ['so many receipts', withReceipts(new PlainAnswer(413))],
  ])('is invalid where the provider cannot show its %s', async (_, tamper) => {
    const { node, read } = openNode([payment, call]);
    node.tamper = (...asked) => error(...asked) ?? tamper(...asked);
    await expect(read()).rejects.toMatchObject({ kind: 'invalid', retryable: true });
  });

  it('is none where the provider shows no block at all, or is late', async () => {
    const { node, read } = openNode([payment, call]);
    node.tamper = (one) =>
      one.endsWith('/getblockbynum') ? { Error: 'this API is unavailable' } : undefined;
    await expect(read()).rejects.toMatchObject({
      kind: 'invalid',
      message: 'answered error: this API is unavailable',
    });
    node.tamper = changing('getblockbynum', () => new PlainAnswer(504));
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is confirmed by its header and receipts where another provider has shown it', async () => {
    const { node, read, readFinal } = openNode([payment, call], 2);
    await read();
    node.tamper = error;
    const block = await readFinal(1);
    expect(moved(block)).toEqual(both);
  });
});

describe('a block that is read again', () => {
  // hits mark: proven-under-this-header
  it('is read whole where another one stands in its place', async () => {
    const [, , fork] = minedChain([[{ raw: transfer(transferPayload(8)) }]]);
    const { node, read, readFinal } = openNode([payment, call]);
    await read();
    node.tamper = (one, parameters) => {
      if (one.endsWith('/gettransactioninfobyblocknum')) return fork?.receipts;
      const isIt = parameters['num'] === minedBlock || parameters['id_or_num'] === String(minedBlock);
      return isIt ? fork?.block : undefined;
    };
    expect(moved(await readFinal())).toEqual([`value ${recipientHex} 8`]);
  });

  it('shows the receipts of the second reading', async () => {
    const { node, read, readFinal } = openNode([payment, call]);
    expect(moved(await read())).toEqual(both);
    node.tamper = inReceipt({ log: [] });
    expect(moved(await readFinal())).toEqual([`value ${recipientHex} 7`]);
  });

  it('lends its transactions to no header with another id or root', async () => {
    const { node, read, readFinal } = openNode([payment, call]);
    await read();
    node.tamper = changing('getblock', (block) => ({
      ...block,
      blockID: `${'0'.repeat(15)}2${'f'.repeat(48)}`,
    }));
    await expect(readFinal()).rejects.toThrow('does not give its id');
  });
});
