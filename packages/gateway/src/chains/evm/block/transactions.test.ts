// Ids of transactions against another library's serialisation, one per type, and who signed them.
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { describe, expect, it } from 'vitest';
import { JsonTape } from '../../rpc/json-tape.ts';
import { senderOf } from './sender.ts';
import { readTransactions } from './transactions.ts';

type Json = Readonly<Record<string, unknown>>;

const word = (byte: string): string => `0x${byte.repeat(32)}`;
const shared: Json = {
  hash: word('00'),
  to: `0x${'ab'.repeat(20)}`,
  nonce: '0x7',
  value: '0x5',
  input: '0x0102',
  gas: '0x5208',
  gasPrice: '0x12c',
  chainId: '0x1',
  maxPriorityFeePerGas: '0x2',
  maxFeePerGas: '0x12c',
  accessList: [{ address: `0x${'cd'.repeat(20)}`, storageKeys: [word('01')] }],
  r: word('11'),
  s: word('22'),
  yParity: '0x1',
};
const authorization = {
  chainId: '0x1',
  address: `0x${'ef'.repeat(20)}`,
  nonce: '0x3',
  r: word('11'),
  s: word('22'),
  yParity: '0x0',
};
const blob = { maxFeePerBlobGas: '0x9', blobVersionedHashes: [`0x01${'ee'.repeat(31)}`] };

const tapeOf = (transaction: Json) =>
  new JsonTape(Buffer.from(JSON.stringify({ transactions: [transaction] })), 1_000);
const read = (change: Json) => readTransactions(tapeOf({ ...shared, ...change }), 0);

describe('the id of a transaction', () => {
  it.each<readonly [string, Json, string]>([
    [
      'legacy',
      { type: '0x0', v: '0x26' },
      '0x63338e35f58ba32bb0a40c59bff2ec1300799798e5d42de7a2569b7ca251c594',
    ],
    [
      'legacy creation',
      { v: '0x1b', to: null },
      '0x186c5411d18b5ebb1ab9b177937b6919fd18cc59ecd7f9c102579725c04916dc',
    ],
    ['access list', { type: '0x1' }, '0x417fcebab50d117596bff4fe9596f16afd0ee5cee79d6286156546eebc25922e'],
    ['dynamic fee', { type: '0x2' }, '0x7f1bcc498c21081ee943255ebaa33cd70f8dd8bd821ca7f96fe6b8a61f9ebe8c'],
    ['blob', { type: '0x3', ...blob }, '0x36411c732e58eda20e7cdff4bd83b7cfd3cf015b81843e2ddb70a2eedcac714b'],
    [
      'set code',
      { type: '0x4', authorizationList: [authorization] },
      '0xff7e03d768caa99f8df43c84191ba88f256578f80b8d6cc501eddee814b08966',
    ],
  ])('of the type %s is what viem serialises', (_name, change, id) => {
    expect(read(change)).toMatchObject({ ids: [id], areKnown: true });
  });

  it('is as reported for a type that is not known', () => {
    expect(read({ type: '0x7e' })).toMatchObject({ ids: [word('00')], areKnown: false, ends: [0] });
  });

  it.each<readonly [Json, string]>([
    [{ type: '0x2', accessList: undefined }, 'no accessList'],
    [{ type: '0x2', accessList: {} }, 'where a list has to be'],
    [{ type: '0x2', accessList: [{}] }, 'no address'],
    [{ type: '0x2', gas: 21_000 }, 'where hex has to be'],
    [{ type: '0x2', gas: '5208' }, 'where hex has to be'],
    [{ type: '0x2', input: '0xabc' }, 'not hex'],
    [{ type: '0x3', ...blob, blobVersionedHashes: [7] }, 'where hex has to be'],
    [{ type: '0x4', authorizationList: 'x' }, 'where a list has to be'],
    [{ type: '0x2', nonce: undefined }, 'no nonce'],
  ])('is not made up for %j', (change, reason) => {
    expect(() => read(change)).toThrow(reason);
  });
});

describe('the sender of a transaction', () => {
  const { account, address } = testAccount(3);
  const to: `0x${string}` = `0x${'ab'.repeat(20)}`;
  const call = { to, nonce: 7, value: 5n, data: '0x0102', gas: 21_000n } as const;
  const fees = { maxPriorityFeePerGas: 2n, maxFeePerGas: 300n };
  const { yParity: _parity, ...unsigned } = shared;
  const wire = { ...unsigned, accessList: [], gas: '0x5208' };

  /** The last three items of a serialised transaction. */
  const signatureOf = (raw: string) => {
    const items = [...raw.matchAll(/a0([0-9a-f]{64})/g)].map((match) => `0x${match[1]}`);
    return { r: items.at(-2), s: items.at(-1) };
  };
  // Deterministic signatures of 32 bytes each, so that the test can cut them out.
  it.each<readonly [string, Parameters<typeof account.signTransaction>[0], Json]>([
    ['legacy before EIP-155', { type: 'legacy', ...call, gasPrice: 300n }, { gasPrice: '0x12c' }],
    ['legacy', { type: 'legacy', chainId: 1, ...call, gasPrice: 300n }, { gasPrice: '0x12c' }],
    ['access list', { type: 'eip2930', chainId: 1, ...call, gasPrice: 300n }, { type: '0x1' }],
    ['dynamic fee', { type: 'eip1559', chainId: 1, ...call, ...fees }, { type: '0x2' }],
  ])('of the type %s follows from its signature', async (name, transaction, change) => {
    const raw = await account.signTransaction(transaction);
    const found: string[] = [];
    const legacy = name === 'legacy' ? ['0x25', '0x26'] : ['0x1b', '0x1c'];
    for (const parity of change['type'] === undefined ? legacy : ['0x0', '0x1']) {
      const tx = { ...wire, ...change, ...signatureOf(raw), v: parity };
      const tape = tapeOf(tx);
      const [place = -1] = readTransactions(tape, 0).places;
      found.push(senderOf(tape, place));
    }
    expect(found).toContain(address.toLowerCase());
    expect(new Set(found).size).toBe(2);
  });

  it.each<readonly [string, Json]>([
    ['an unknown parity', { type: '0x2', yParity: '0x2' }],
    ['a legacy parity below 27', { v: '0x1' }],
    ['halves of nothing', { type: '0x2', r: '0x0', s: '0x0' }],
    ['halves beyond the curve', { type: '0x2', r: word('ff'), s: word('ff') }],
  ])('is nobody with %s', (_name, change) => {
    const tape = tapeOf({ ...shared, ...change });
    const [place = -1] = readTransactions(tape, 0).places;
    expect(() => senderOf(tape, place)).toThrow('nobody signed');
  });
});
