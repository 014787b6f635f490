// Shows that the reader sees: for each thing that can be lost, doubled, invented or wrong, a run that is made so.
import { describe, expect, it } from 'vitest';
import { compare, type Readings } from './compare.ts';

const order = {
  trade_no: 'ord_1',
  app_id: 'app',
  out_trade_no: 'a-1',
  chain: 'ETH',
  currency_id: 1001,
  address: '0xaa',
  due: '5000000',
  collected: '5000000',
  status: 'PAID',
  time_expire: '2000',
};
const transfer = {
  chain: 'ETH',
  hash: '0x1',
  to: '0xaa',
  currencyId: 1001,
  units: 5_000_000n,
  block: 7,
  time: 1500,
  place: 0,
};
const row = {
  chain: 'ETH',
  tx_id: '0x1',
  currency_id: 1001,
  to_address: '0xaa',
  units: '5000000',
  state: 'final',
};
const body = JSON.stringify({ status: 'PAID', amount_collected: '5' });
const event = { event_id: 'evt_1', trade_no: 'ord_1', status: 'PAID', body, state: 'delivered', attempts: 1 };
const delivery = { eventId: 'evt_1', body, refused: null, accepted: true };
const posting = { reference: 'ETH/0x1/log:0', fact: 'deposit', owner: 'app', currency_id: 1001 };
const promise = {
  appId: 'app',
  outTradeNo: 'a-1',
  tradeNo: 'ord_1',
  address: '0xaa',
  currencyId: 1001,
  units: 5_000_000n,
  timeExpire: 2000,
};

const good = {
  books: {
    orders: [order],
    transfers: [row],
    postings: [
      { ...posting, kind: 'custody', units: '-5000000' },
      { ...posting, kind: 'available', units: '4998500' },
      { ...posting, kind: 'fee', units: '1500' },
    ],
    events: [event],
    addresses: [{ address: '0xaa', trade_no: 'ord_1' }],
    cursors: [{ chain: 'ETH', final_number: '9', halted_reason: null }],
    wrongBalances: [],
  },
  finals: [{ name: 'ETH', finalBlock: 9, finalTime: 3000, transfers: [transfer] }],
  decimals: new Map([[1001, 6]]),
  feePpm: 300,
  promised: [promise],
  deliveries: [delivery],
} as const satisfies Readings;

const { books } = good;
const [final] = good.finals;
if (final === undefined) throw new Error('there is one chain');

function faultsOf(changes: Partial<Readings>): readonly string[] {
  return [...new Set(compare({ ...good, ...changes }).map(({ fault }) => fault))];
}

describe('compare', () => {
  it('finds nothing where all is well', () => {
    expect(compare(good)).toEqual([]);
  });

  it('knows an address of Tron in both of its forms, and another one for another', () => {
    const told = { ...promise, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
    const plain = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
    const keptAs = (address: string): Partial<Readings> => ({
      promised: [told],
      books: {
        ...books,
        orders: [{ ...order, address }],
        addresses: [{ address, trade_no: 'ord_1' }],
        transfers: [{ ...row, to_address: address }],
      },
      finals: [{ ...final, transfers: [{ ...transfer, to: address }] }],
    });
    expect(faultsOf(keptAs(plain))).toEqual([]);
    expect(faultsOf(keptAs(plain.replace(/c$/, 'd')))).toEqual(['wrong']);
  });

  it.each<[string, string, Partial<Readings>]>([
    ['a payment that was never booked', 'lost', { books: { ...books, transfers: [] } }],
    [
      'a payment booked twice',
      'doubled',
      { books: { ...books, postings: [...books.postings, ...books.postings] } },
    ],
    ['a credit without a payment', 'invented', { finals: [{ ...final, transfers: [] }] }],
    ['a promised order that is gone', 'lost', { promised: [promise, { ...promise, outTradeNo: 'a-2' }] }],
    [
      'one question, two orders',
      'doubled',
      { books: { ...books, orders: [order, { ...order, trade_no: 'ord_2' }] } },
    ],
    ['another address than promised', 'wrong', { promised: [{ ...promise, address: '0xbb' }] }],
    [
      'a status that the chain does not bear out',
      'wrong',
      { books: { ...books, orders: [{ ...order, status: 'TIME-OUT' }] } },
    ],
    ['an event that was never written', 'lost', { books: { ...books, events: [] } }],
    [
      'an event written twice',
      'doubled',
      { books: { ...books, events: [event, { ...event, event_id: 'evt_2' }] } },
    ],
    ['an event that never arrived', 'lost', { deliveries: [{ ...delivery, accepted: false }] }],
    ['another body the second time', 'wrong', { deliveries: [delivery, { ...delivery, body: '{}' }] }],
    [
      'a webhook that nobody wrote down',
      'lost',
      { deliveries: [delivery, { ...delivery, eventId: 'evt_9' }] },
    ],
    ['a signature that does not fit', 'wrong', { deliveries: [{ ...delivery, refused: 'signature' }] }],
    [
      'a balance that is not its postings',
      'wrong',
      { books: { ...books, wrongBalances: [{ account_id: '1' }] } },
    ],
    ['a chain left behind', 'lost', { books: { ...books, cursors: [] } }],
  ])('%s: %s', (_what, fault, changes) => {
    expect(faultsOf(changes)).toContain(fault);
  });

  it.each([
    ['a fee taken twice', { kind: 'fee', units: '3000' }],
    ['units that are not those of the chain', { kind: 'available', units: '4998501' }],
  ])('%s', (_what, change) => {
    const postings = books.postings.map((one) => (one.kind === change.kind ? { ...one, ...change } : one));
    expect(faultsOf({ books: { ...books, postings } })).toEqual(['lost', 'invented']);
  });
});
