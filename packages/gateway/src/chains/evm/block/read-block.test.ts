// A block against a provider that changes it in every way we know: it is proven, refused, or said to be unproven.
import { unitsOf } from '@ducat/core/money/amount';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { type ReaderStage, recipient, startReaderStage } from '@ducat/testkit/chains/evm/reader-stage';
import { at, list, put, type Tamper, tamper } from '@ducat/testkit/chains/evm/tampering-proxy';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realWorld } from '../../../runtime/world.ts';
import type { BlockQuery, ChainBlock } from '../../port/reader.ts';
import { createEvmReaders } from '../evm-reader.ts';

const attacker = `0x${'e1'.repeat(20)}`;
let stage: ReaderStage;
let query: BlockQuery;
beforeAll(async () => {
  stage = await startReaderStage();
  query = { currencies: stage.currencies, txIds: new Set() };
});
afterAll(() => stage.stop());
beforeEach(() => stage.proxy.change());

const readBlock = (reader = stage.reader(), asked = query) => reader.block(stage.block.number, asked);
const paid = (block: ChainBlock | null) => block?.transfers.map(({ to, amount }) => [to, unitsOf(amount)]);
const payments = [
  [recipient, 5n],
  [recipient, 5n],
  [recipient, 7n],
];

type Change = (result: unknown) => unknown;
const blockBy = (change: Change): Tamper => tamper('eth_getBlockByNumber', change);
const receiptsBy = (change: Change): Tamper => tamper('eth_getBlockReceipts', change);
const hashOf = (digit: string): string => `0x${digit.repeat(64)}`;

/** A third log, as the token would have written it, in the receipt of the native payment. */
const forge: Change = (receipts) => {
  let genuine: unknown;
  at('1.logs.0', (log) => (genuine = log))(receipts);
  return put('2.logs', [genuine])(receipts);
};

const root = /receipts of block \d+ that do not give their root/;
const transactionsRoot = /transactions of block \d+ that do not give their root/;
const cases: readonly (readonly [name: string, change: Tamper, reason: RegExp])[] = [
  ['no receipts', receiptsBy(() => []), /0 receipts for 4 transactions/],
  ['a receipt less', receiptsBy(list((all) => all.slice(1))), /3 receipts for 4/],
  ['receipts in another order', receiptsBy(list((all) => all.toReversed())), root],
  ['a log left out', receiptsBy(put('1.logs', [])), root],
  ['a larger amount', receiptsBy(at('0.logs.0.data', (data) => String(data).replace(/5$/, '6'))), root],
  [
    'another receiver',
    receiptsBy(put('0.logs.0.topics.2', `0x${attacker.slice(2).padStart(64, '0')}`)),
    root,
  ],
  ['a forged log', receiptsBy(forge), root],
  ['a failed transaction called successful', receiptsBy(put('3.status', '0x1')), root],
  ['another type', receiptsBy(put('0.type', '0x1')), root],
  ['a type that is no text', receiptsBy(put('0.type', 2)), root],
  ['a bloom that is too short', receiptsBy(put('0.logsBloom', '0x00')), root],
  ['data of half a byte', receiptsBy(put('0.logs.0.data', '0x5')), /not hex/],
  ['data that is not hex', receiptsBy(put('0.logs.0.data', `0x${'zz'.repeat(32)}`)), /not hex/],
  ['data that is no text', receiptsBy(put('0.logs.0.data', 5)), /where hex has to be/],
  ['an address with NUL in it', receiptsBy(put('0.logs.0.address', `0x${'\0'.repeat(40)}`)), /not hex/],
  [
    'a topic of half a word',
    receiptsBy(put('0.logs.0.topics.2', hashOf('1').slice(0, 34))),
    /another length/,
  ],
  ['a status that is none', receiptsBy(put('0.status', '0x2')), /unknown status/],
  ['a receipt without a status', receiptsBy(put('0.status', undefined)), /no status/],
  ['gas without digits', receiptsBy(put('0.cumulativeGasUsed', '0x')), /without digits|no number/],
  ['something else for receipts', receiptsBy(() => ({ error: 'busy' })), /where a list has to be/],
  ['something else for logs', receiptsBy(put('0.logs', 'x')), /where a list has to be/],
  ['another header', blockBy(put('timestamp', '0x1')), /does not give its hash/],
  ['another hash', blockBy(put('hash', hashOf('2'))), /does not give its hash/],
  ['another block', blockBy(put('number', '0x1')), /does not give its hash/],
  [
    'a transaction left out',
    blockBy(
      at(
        'transactions',
        list((all) => all.slice(0, -1)),
      ),
    ),
    transactionsRoot,
  ],
  ['a larger value', blockBy(put('transactions.2.value', '0xffff')), transactionsRoot],
  ['another recipient', blockBy(put('transactions.2.to', attacker)), transactionsRoot],
  ['no transactions at all', blockBy(put('transactions', [])), transactionsRoot],
  ['a value without digits', blockBy(put('transactions.2.value', '0x')), /value without digits/],
  ['a receiver that is none', blockBy(put('transactions.2.to', '0xzz')), /not hex/],
  ['hashes for transactions', blockBy(put('transactions.0', hashOf('3'))), /has no/],
  ['something else for a block', blockBy(() => 'busy'), /has no number/],
];

describe('a block that a provider has changed', () => {
  it.each(cases)('is refused with %s', async (_name, result, reason) => {
    stage.proxy.change({ result });
    const failure = readBlock();
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toMatchObject({ name: 'Outage', kind: 'invalid', retryable: true });
  });

  it('is the same with what no root covers, which is not believed but computed', async () => {
    const genuine = await readBlock();
    expect(genuine).toMatchObject({ isProven: true, proposals: [] });
    expect(paid(genuine)).toEqual(payments);
    stage.proxy.change({
      result: (method, result) => {
        if (method === 'eth_getBlockReceipts')
          return put('0.logs.0.transactionHash', hashOf('3'))(put('0.transactionHash', hashOf('3'))(result));
        return method === 'eth_getBlockByNumber' ? put('transactions.0.hash', hashOf('3'))(result) : result;
      },
    });
    expect(await readBlock()).toEqual(genuine);
  });

  it('says that it is not proven with fields or transactions that this version does not know', async () => {
    const reader = stage.reader();
    expect(reader.gaps().join()).not.toContain('not proven');
    stage.proxy.change({
      result: blockBy((block) => put('timestamp', '0x1')(put('futureField', '0x1')(block))),
    });
    const other = await readBlock(reader);
    expect(other).toMatchObject({ isProven: false, header: { time: 1 } });
    expect(paid(other)).toEqual(payments);
    expect(reader.gaps().join()).toContain('Update Ducat');
    stage.proxy.change({ result: blockBy(put('transactions.3.type', '0x7f')) });
    expect(await readBlock()).toMatchObject({ isProven: false, transfers: [{}, {}, {}] });
  });

  it('is an outage where the receipts are gone, and no fault', async () => {
    for (const change of [() => null, put('1', null)]) {
      stage.proxy.change({
        result: (method, result) => (method === 'eth_getBlockReceipts' ? change(result) : result),
      });
      await expect(readBlock()).rejects.toMatchObject({ kind: 'unavailable' });
    }
  });

  it('is read receipt by receipt where the provider has no method for all at once', async () => {
    const genuine = await readBlock();
    stage.proxy.change({ errors: { eth_getBlockReceipts: { code: -32_601, message: 'Method not found' } } });
    expect(await readBlock()).toEqual(genuine);
    expect(stage.proxy.asked.at(-1)).toBe('eth_getTransactionReceipt');
  });
});

describe('a transaction that is named', () => {
  const readNamed = async () => {
    const all = await stage.payer.chain.rpc('eth_getBlockByNumber', [
      `0x${stage.block.number.toString(16)}`,
      false,
    ]);
    const ids: readonly string[] = Object(all).transactions;
    return { ids, block: await readBlock(stage.reader(), { ...query, txIds: new Set(ids.slice(1)) }) };
  };

  it('is reported with its status, what it cost, and who paid', async () => {
    const { ids, block } = await readNamed();
    const receipts = await Promise.all(
      ids.slice(1).map(async (id) => Object(await stage.payer.chain.rpc('eth_getTransactionReceipt', [id]))),
    );
    expect(block?.inclusions.map(({ txId, fee }) => [txId, unitsOf(fee)])).toEqual(
      receipts.map((one, index) => [ids[index + 1], BigInt(one.gasUsed) * BigInt(one.effectiveGasPrice)]),
    );
    expect(block?.inclusions.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'failed']);
    for (const inclusion of block?.inclusions ?? [])
      expect(inclusion).toMatchObject({ chain: 'TEST', payer: stage.payer.address, block: stage.block });
  });

  it('was sent by whom its signature says, whatever the provider reports', async () => {
    stage.proxy.change({ result: blockBy(put('transactions.2.from', attacker)) });
    expect((await readBlock())?.transfers[2]).toMatchObject({ position: 'value', from: attacker });
    const { block } = await readNamed();
    expect(block?.transfers[2]).toMatchObject({ position: 'value', from: stage.payer.address });
    expect(block?.inclusions[1]?.payer).toBe(stage.payer.address);
  });
});

it('a block with receipts of more than one answer may hold is read in parts', async () => {
  const payer = await AnvilPayer.start();
  const down = [1, 0, 'MLOAD', 'SUB', 0, 'MSTORE', 0, 'MLOAD', '@top', 'JUMPI'];
  const flood = {
    data: `0x${assemble(16_000, 0, 'MSTORE', ':top', 0, 0, 'LOG0', ...down)}`,
    gas: 9_000_000,
  };
  const payment = { to: recipient, value: 7n, gas: 21_000 };
  const { block } = await payer.sendAndMine(payment, flood, flood, flood);
  const asked: string[] = [];
  const [reader] = createEvmReaders({
    definition: testDefinition(),
    rpcUrls: [payer.chain.rpcUrl],
    world: realWorld,
    observer: { onRequest: ({ method, ok }) => void asked.push(`${method} ${ok}`) },
  });
  const read = await reader?.block(block, { currencies: [testCurrency(1000, null, 18)], txIds: new Set() });
  expect(paid(read ?? null)).toEqual([[recipient, 7n]]);
  expect(asked).toContain('eth_getBlockReceipts false');
  expect(asked).toContain('eth_getTransactionReceipt true');
  await payer.chain.stop();
}, 60_000);
