// The whole story of one order, made by the flows of the product: every kind of entry stands in it, in order, with its amounts.
import { orderTimeline } from '@ducat/contract/dashboard/orders/timeline';
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { bookBlock, TEST_LEASE, transferTo, USDT } from '@ducat/testkit/fixtures';
import { rowOf } from '@ducat/testkit/reports/story-rows';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addressSchemes } from '../../../chains/address-schemes.ts';
import { walledReader } from '../../../db/tables/access/walls.ts';
import { readDueHoldings } from '../../../db/tables/collections/holdings.ts';
import { readDueOutgoing } from '../../../db/tables/outgoing/due-outgoing.ts';
import { undoBlocks } from '../../../flows/blocks/undo-blocks.ts';
import { advanceCollection } from '../../../flows/collections/advance-collection.ts';
import { openWallet } from '../../../flows/collections/open-wallet.ts';
import { startCollection } from '../../../flows/collections/start-collection.ts';
import { startSweep } from '../../../flows/collections/start-sweep.ts';
import { claimDeliveries } from '../../../flows/deliveries/claim-deliveries.ts';
import { recordDeliveries } from '../../../flows/deliveries/record-delivery.ts';
import { chooseCurrency } from '../../../flows/orders/choose-currency.ts';
import { openSender } from '../../../flows/outgoing/open-sender.ts';
import { prepareOutgoing } from '../../../flows/outgoing/prepare-outgoing.ts';
import { recordSends } from '../../../flows/outgoing/record-sends.ts';
import { recordSigned } from '../../../flows/outgoing/record-signed.ts';
import { sendPayouts } from '../../../flows/payouts/send-payouts.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const GAS_WALLET = `0x${'a1'.repeat(20)}`;
const WALLET = `0x${'a2'.repeat(20)}`;
const STEP_MS = 5_000;
const mine = { merchant_id: 'mer_1' };
const under = { chain: eth, nativeId: 1000, lease: TEST_LEASE } as const;
const usdt = (units: bigint) => amountOf(USDT, units);
const wei = (units: bigint) => amountOf(1000, units);

let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  await shop.api.database.transact(async (tx) => {
    for (const role of ['pay', 'collect'])
      await tx.write('INSERT INTO leases VALUES ($1, $2, $3, 0, 0)', [
        `${role}-ETH`,
        TEST_LEASE.token,
        TEST_LEASE.holder,
      ]);
    await openWallet(tx, { appId: null, family: 'evm' }, GAS_WALLET);
    await openWallet(tx, { appId: shop.api.payment.appId, family: 'evm' }, WALLET);
  });
});
afterAll(() => shop?.close());

const nowMs = () => shop.api.world.nowMs();
const transact: DashboardShop['api']['database']['transact'] = (flow, shape) =>
  shop.api.database.transact(flow, shape);

let head: BlockHeader = { number: 1000, hash: '0xhead', parentHash: '', time: 0 };

interface Mined {
  readonly transfers?: (block: BlockHeader) => readonly Transfer[];
  readonly inclusions?: (block: BlockHeader) => readonly Inclusion[];
  readonly isFinal?: boolean;
}

/** The next block, a step later. */
async function mineBlock({ transfers, inclusions, isFinal = true }: Mined = {}): Promise<BlockHeader> {
  shop.api.world.advance(STEP_MS);
  const time = Math.floor(nowMs() / 1_000);
  const header = { number: head.number + 1, hash: `0x${time}`, parentHash: head.hash, time };
  const booked = await bookBlock(shop.api.database, {
    header,
    transfers: transfers?.(header) ?? [],
    inclusions: inclusions?.(header) ?? [],
    final: isFinal ? header : null,
  });
  expect(booked.outcome).toBe('accepted');
  head = header;
  return header;
}

/** Every webhook that is due ends so, the outcome of one attempt each. */
async function deliver(httpStatus: 200 | 503, afterMs: number): Promise<void> {
  const dueMs = nowMs() + afterMs;
  const limits = { leaseMs: 60_000, maxDeliveries: 50, maxPerApp: 50, maxPerReceiver: 50 };
  const claim = { ...limits, underWay: [], after: new Map(), nowMs: dueMs };
  const { deliveries } = await claimDeliveries(shop.api.database, claim);
  const outcome = httpStatus === 200 ? ('delivered' as const) : ('http-status' as const);
  const ended = deliveries.map(({ eventId, attempt, scheduledAttempt }) => ({
    eventId,
    attempt,
    scheduledAttempt,
    outcome,
    httpStatus,
    startedAtMs: dueMs,
    endedAtMs: dueMs + 180,
  }));
  await transact((tx) => recordDeliveries(tx, ended));
}

/** A hosted order for 20 USD, whose payer takes USDT on Ethereum; its number and its canonical address. */
async function placeOrder(): Promise<{ readonly tradeNo: string; readonly address: string }> {
  const wanted = { out_trade_no: '1042', fiat_name: 'USD', fiat_amount: '20', currency_ids: [2001, 1001] };
  const { data } = await shop.api.call('/api/entrust/pre-create', wanted);
  const tradeNo = String(data['trade_no']);
  shop.api.world.advance(STEP_MS);
  const at = Math.floor(nowMs() / 1_000);
  const reading = { base: 'USDT', quote: 'USD', at, verdict: 'used' } as const;
  const evidence = [
    { ...reading, source: 'Kraken', priceUnits: 999n * 10n ** 15n },
    { ...reading, source: 'Coinbase', priceUnits: 10n ** 18n },
    { ...reading, source: 'Bitstamp', priceUnits: 2n * 10n ** 18n, verdict: 'far' as const },
  ];
  const quote = { rate: { fiat: 'USD', priceUnits: 10n ** 18n }, at, source: 'median of 2 prices', evidence };
  const choice = { tradeNo, chain: 'ETH', family: 'evm', currencyId: USDT, due: usdt(20_000_000n), quote };
  expect(await transact((tx) => chooseCurrency(tx, { ...choice, nowMs: nowMs() }))).toBe('chosen');
  const { order } = await shop.ask('orders.read', { ...mine, trade_no: tradeNo });
  return { tradeNo, address: addressSchemes.evm.canonical(order.address) ?? '' };
}

/** What waits to leave is signed, sent, and stands in a final block, in which it moves these. */
async function leave(txId: string, moves: (block: BlockHeader) => readonly Transfer[]): Promise<void> {
  const { reader } = shop.api.database;
  const query = { chain: 'ETH', nativeId: 1000, nowMs: nowMs(), limit: 9, only: null };
  const due = await readDueOutgoing(reader, query);
  const waiting = due.filter(({ state }) => state === 'waiting');
  const [one] = waiting;
  if (one === undefined || waiting.length > 1) throw new Error(`${waiting.length} wait to leave`);
  const { outgoingId, senderId, from } = one;
  const currency = eth.currencies.find(({ currencyId }) => currencyId === one.amount.currencyId);
  if (currency === undefined) throw new Error('it is in a currency of the chain');
  const prices = { gasLimit: 65_000n, priceThen: 1n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  const terms = { family: 'evm', isLegacy: false, ...prices } as const;
  await transact((tx) => openSender(tx, { ...under, chain: 'ETH', senderId, nonce: 0 }));
  const ready = [{ ...one, currency, terms, lastOrdinal: 0 }];
  const common = { lease: TEST_LEASE, nowMs: nowMs() };
  const prepared = await transact((tx) =>
    prepareOutgoing(tx, { ...common, chain: eth, senderId, ready, mostOpen: 9 }),
  );
  expect(prepared).toEqual({ outcome: 'prepared', count: 1 });
  const signed = [{ outgoingId, ordinal: 1, txId, bytes: 'ff', logSequence: 1 }];
  await transact((tx) => recordSigned(tx, { ...common, chain: 'ETH', signed }));
  const sent = [{ outgoingId, ordinal: 1, answer: 'accepted' }];
  await transact((tx) => recordSends(tx, { ...common, chain: 'ETH', sent, looks: [] }));
  const fee = wei(2n * 10n ** 14n);
  await mineBlock({
    transfers: moves,
    inclusions: (block) => [{ chain: 'ETH', txId, block, status: 'succeeded', payer: from, fee }],
  });
}

async function dueHolding() {
  const query = { chain: 'ETH', nativeId: 1000, nowMs: nowMs(), limit: 9, demands: [], lookedBeforeMs: 0 };
  const holdings = await readDueHoldings(shop.api.database.reader, query);
  const holding = holdings.find(({ currencyId }) => currencyId === USDT);
  if (holding === undefined) throw new Error('the token waits to be collected');
  return holding;
}

const advance = (collectionId: string, outgoingId: string) =>
  transact((tx) =>
    advanceCollection(tx, {
      ...under,
      collectionId,
      outgoingId,
      gasWallet: GAS_WALLET,
      nowMs: nowMs(),
      troubledBeforeMs: 0,
      sweepTroubledBeforeMs: 0,
    }),
  );

/** The gas wallet pays for the transfer, and then the address sends what it holds. */
async function collectByFunding(address: string): Promise<void> {
  const holding = await dueHolding();
  const [gas, amount] = [wei(5n * 10n ** 14n), holding.held];
  const plan = { method: 'funded', amount, gas, funding: gas, stake: null } as const;
  const started = await transact((tx) =>
    startCollection(tx, {
      ...under,
      collectionId: 'col_1',
      outgoingId: 'out_1',
      holding,
      plan,
      nowMs: nowMs(),
      wallet: WALLET,
      gasWallet: GAS_WALLET,
      fundingFeeCap: gas,
      cost: wei(9n * 10n ** 14n),
    }),
  );
  expect(started).toBe('started');
  await leave('0xfunding', (block) => [
    transferTo(address, block, { from: GAS_WALLET, amount: gas, txId: '0xfunding', position: 'call:0' }),
  ]);
  expect(await advance('col_1', 'out_2')).toMatchObject({ outcome: 'advanced', after: { kind: 'move' } });
  await leave('0xcollected', (block) => [
    transferTo(WALLET, block, { from: address, amount, txId: '0xcollected' }),
  ]);
  expect(await advance('col_1', 'out_none')).toMatchObject({ after: { kind: 'collected' } });
}

/** One transaction of the gas wallet, for this address alone. */
async function collectBySweep(address: string): Promise<void> {
  const holding = await dueHolding();
  const { held: amount } = holding;
  const parts = [{ collectionId: 'col_2', holding, amount, nonce: 1 }];
  const share = wei(3n * 10n ** 14n);
  const began = await transact((tx) =>
    startSweep(tx, {
      ...under,
      sweepId: 'swp_1',
      outgoingId: 'out_3',
      parts,
      share,
      nowMs: nowMs(),
      wallet: WALLET,
      gasWallet: GAS_WALLET,
      feeCap: share,
    }),
  );
  expect(began).toHaveLength(1);
  await leave('0xswept', (block) => [transferTo(WALLET, block, { from: address, amount, txId: '0xswept' })]);
  expect(await advance('col_2', 'out_none')).toMatchObject({ after: { kind: 'collected' } });
}

/** A refund of the order, paid out from the app's wallet. */
async function refundOrder(tradeNo: string): Promise<void> {
  const wish = { ...mine, app_id: shop.api.payment.appId, currency_id: USDT, amount: '3', to_address: TO };
  const terms = { most_cost: '100', fee_mode: 'on-top' } as const;
  const refund = { trade_no: tradeNo, reason: 'a tin came back' };
  const { payout } = await shop.ask('payouts.create', { ...wish, ...terms, refund }, shop.finance);
  const send = { limit: 1, only: payout.trade_no, newOutgoingId: () => 'out_4' };
  await transact((tx) => sendPayouts(tx, { ...under, ...send, nowMs: nowMs() }));
  await leave('0xrefund', (block) => [
    transferTo(TO.toLowerCase(), block, { from: WALLET, amount: usdt(3_000_000n), txId: '0xrefund' }),
  ]);
}

interface Made {
  readonly tradeNo: string;
  /** The times of blocks, and of the expiry. */
  readonly times: Readonly<Record<'first' | 'second' | 'expiry' | 'late', number>>;
}

const timelineOf = async (tradeNo: string) =>
  (await shop.ask('orders.read', { ...mine, trade_no: tradeNo })).timeline;

const pays = (address: string, units: bigint, txId: string) => (block: BlockHeader) => [
  transferTo(address, block, { units, txId }),
];

/** Two parts in time, of which a fork takes one away until it comes again; the time of its last block. */
async function payTwoParts({ tradeNo, address }: Awaited<ReturnType<typeof placeOrder>>) {
  const second = async () =>
    (await timelineOf(tradeNo)).flatMap((one) =>
      one.kind === 'transfer' && one.tx_id === '0xpart2' ? [rowOf(one)] : [],
    );
  const first = await mineBlock({ transfers: pays(address, 8_000_000n, '0xpart1') });
  await deliver(503, 1_000);
  await mineBlock({ transfers: pays(address, 5_000_000n, '0xpart2'), isFinal: false });
  await mineBlock({ isFinal: false });
  expect(await second()).toEqual([['transfer', '0xpart2', '5', 'seen', null, 1002, '2/12', 'stays']]);
  const undo = { chain: 'ETH', tip: head, ancestor: first, nowMs: nowMs(), lease: TEST_LEASE };
  expect(await transact((tx) => undoBlocks(tx, undo))).toMatchObject({ outcome: 'undone', orphaned: 1 });
  head = first;
  expect(await second()).toEqual([['transfer', '0xpart2', '5', 'orphaned', null, 1002, '0/12', 'stays']]);
  await mineBlock({ isFinal: false });
  const again = await mineBlock({ transfers: pays(address, 5_000_000n, '0xpart2') });
  return { first: first.time, second: again.time };
}

/** Late money, of which one receipt goes back by itself, and a person's word that the order is paid by the other. */
async function payLateAndAccept({ tradeNo, address }: Awaited<ReturnType<typeof placeOrder>>) {
  const expiry = head.time + 1;
  await transact((tx) =>
    tx.write('UPDATE orders SET time_expire = $2 WHERE trade_no = $1', [tradeNo, expiry]),
  );
  const late = await mineBlock({ transfers: pays(address, 7_000_000n, '0xlate') });
  await mineBlock({ transfers: pays(address, 6_000_000n, '0xtoo-much') });
  const receipt = { ...mine, chain: 'ETH', tx_id: '0xtoo-much', position: 'log:0', to_address: TO };
  await shop.ask('receipts.refund', { ...receipt, keep: '5', reason: 'paid twice' }, shop.finance);
  const open = (await timelineOf(tradeNo)).filter((one) => one.kind === 'transfer' && one.can_send_back);
  expect(open).toMatchObject([{ tx_id: '0xlate' }]);
  shop.api.world.advance(STEP_MS);
  const acceptance = { ...mine, trade_no: tradeNo, reason: 'the customer called' };
  await shop.ask('orders.accept-late', acceptance, shop.finance);
  return { expiry, late: late.time };
}

async function makeStory(): Promise<Made> {
  const order = await placeOrder();
  const parts = await payTwoParts(order);
  await collectByFunding(order.address);
  const late = await payLateAndAccept(order);
  await collectBySweep(order.address);
  await refundOrder(order.tradeNo);
  // One of a subject at a time, and what is final overtakes the others.
  for (const afterMs of [120_000, 121_000, 122_000, 123_000]) await deliver(200, afterMs);
  return { tradeNo: order.tradeNo, times: { ...parts, ...late } };
}

const paidIn = (txId: string, amount: string, disposition: string, block: number) => [
  'transfer',
  txId,
  amount,
  'final',
  disposition,
  block,
  '12/12',
  'stays',
];
const credited = (amount: string, fee: string, net: string) => [
  'ledger',
  'deposit',
  `custody -${amount}`,
  `fee ${fee}`,
  `available ${net}`,
];

function expectedRows({ tradeNo, times }: Made): readonly (readonly unknown[])[] {
  const webhook = (status: string, collected: string, txId: string, time: number, ...before: string[]) => {
    const body = JSON.stringify({ tradeNo, status, collected, due: '20000000', txId, time });
    return ['webhook', status, 'delivered', body, `${before.length + 1} delivered 200`, ...before];
  };
  const by = shop.finance.email;
  return [
    ['created'],
    ['quote', '1 USD median of 2 prices', 'Kraken 0.999 used', 'Coinbase 1 used', 'Bitstamp 2 far'],
    ['choice', 2, '20', USDT],
    paidIn('0xpart1', '8', 'payment', 1001),
    credited('8', '0.0024', '7.9976'),
    webhook('TO-BE-PAID', '8000000', '0xpart1', times.first, '1 http-status 503'),
    ['reorg', 'ETH', 1003, 1001],
    paidIn('0xpart2', '5', 'payment', 1003),
    credited('5', '0.0015', '4.9985'),
    webhook('TO-BE-PAID', '13000000', '0xpart2', times.second),
    [
      'collection',
      'funded',
      'collected',
      '13',
      '0.0009',
      'funding transfer succeeded 0.0005 0xfunding 0.0002',
      'collection transfer succeeded 13 0xcollected 0.0002',
    ],
    ['expired'],
    paidIn('0xlate', '7', 'late', 1006),
    credited('7', '0.0021', '6.9979'),
    webhook('TIME-OUT', '13000000', '0xpart2', times.expiry),
    paidIn('0xtoo-much', '6', 'late', 1007),
    credited('6', '0.0018', '5.9982'),
    ['refund', 'PROGRESS', '6', TO, by, 'paid twice', null],
    ['accepted', by, 'the customer called'],
    webhook('PAID', '20000000', '0xlate', times.late),
    ['collection', 'sponsored', 'collected', '13', '0.0003', 'collection sweep succeeded 13 0xswept 0.0002'],
    ['refund', 'PAID', '3', TO, by, 'a tin came back', '0xrefund'],
  ];
}

it('shows everything that happened, each entry once and in its place', async () => {
  const made = await makeStory();
  const timeline = await timelineOf(made.tradeNo);
  expect(timeline.map(rowOf)).toEqual(expectedRows(made));
  const kinds = orderTimeline.items.anyOf.map(({ properties }) => properties.kind.const);
  expect(new Set(timeline.map(({ kind }) => kind))).toEqual(new Set(kinds));
  // What pays for a collection is seen by its merchant alone, and not which wallet of the gateway sent it.
  const [collection] = timeline.filter((one) => one.kind === 'collection');
  expect(collection?.transactions).toMatchObject([{ from: '' }, { from: expect.stringMatching(/^0x/) }]);
  const foreign = walledReader(shop.api.database.transact, 'mer_2');
  expect(await foreign.read('SELECT outgoing_id FROM outgoing_transactions', [])).toEqual([]);
  expect(shop.api.bugs).toEqual([]);
});
