// Shows that the reader finds each thing that can be lost, doubled, invented or wrong, by a run that is damaged so.
import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import type { Readings } from './readings.ts';
import { oursOf } from './audit.ts';

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
const fields = {
  appid: 'app',
  trade_no: 'ord_1',
  out_trade_no: 'a-1',
  amount_collected: '5',
  amount: '',
  token_amount: '5',
  chain: 'ETH',
  chain_id: 31_337,
  type: 'PAYMENT',
  currency_id: 1001,
  txid: '0x1',
  status: 'PAID',
  time: 1500,
  redirect_url: '',
};
const body = JSON.stringify(fields);
const event = {
  event_id: 'evt_1',
  app_id: 'app',
  trade_no: 'ord_1',
  status: 'PAID',
  body,
  state: 'delivered',
  attempts: 1,
};
const delivery = { appId: 'app', eventId: 'evt_1', body, refused: null, accepted: true };
const posting = { reference: 'ETH/0x1/log:0', fact: 'deposit', currency_id: 1001 };
const asked = {
  appId: 'app',
  outTradeNo: 'a-1',
  chain: 'ETH',
  currencyId: 1001,
  units: 5_000_000n,
  timeOut: 2000,
};
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
      { ...posting, kind: 'custody', owner: 'ETH', units: '-5000000' },
      { ...posting, kind: 'available', owner: 'app', units: '4998500' },
      { ...posting, kind: 'fee', owner: 'gateway', units: '1500' },
    ],
    events: [event],
    addresses: [{ address: '0xaa', trade_no: 'ord_1', app_id: 'app' }],
    cursors: [{ chain: 'ETH', final_number: '9', halted_reason: null }],
    wrongBalances: [],
  },
  finals: [{ name: 'ETH', finalBlock: 9, finalTime: 3000, transfers: [transfer] }],
  decimals: new Map([[1001, 6]]),
  chainIds: new Map([['ETH', 31_337]]),
  feePpm: 300,
  asked: [asked],
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
    const inBase58 = { ...promise, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
    const plain = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
    const keptAs = (address: string): Partial<Readings> => ({
      promised: [inBase58],
      books: {
        ...books,
        orders: [{ ...order, address }],
        addresses: [{ address, trade_no: 'ord_1', app_id: 'app' }],
        transfers: [{ ...row, to_address: address }],
      },
      finals: [{ ...final, transfers: [{ ...transfer, to: address }] }],
    });
    expect(faultsOf(keptAs(plain))).toEqual([]);
    expect(faultsOf(keptAs(plain.replace(/c$/, 'd')))).toEqual(['wrong', 'lost']);
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
    ['an order that nobody asked for', 'invented', { asked: [] }],
    ['an order with another price than asked for', 'wrong', { asked: [{ ...asked, units: 4_000_000n }] }],
    ['an order in another currency than asked for', 'wrong', { asked: [{ ...asked, currencyId: 1002 }] }],
    ['an order with another expiry than asked for', 'wrong', { asked: [{ ...asked, timeOut: 2001 }] }],
    ['an order on another chain than asked for', 'wrong', { asked: [{ ...asked, chain: 'BSC' }] }],
    [
      'one address promised to two customers',
      'doubled',
      { promised: [promise, { ...promise, outTradeNo: 'a-2', tradeNo: 'ord_2' }] },
    ],
    ['a promised address that is not watched', 'lost', { books: { ...books, addresses: [] } }],
    ['an event that another merchant received', 'lost', { deliveries: [{ ...delivery, appId: 'other' }] }],
    [
      'an event that another merchant received too',
      'wrong',
      { deliveries: [delivery, { ...delivery, appId: 'other' }] },
    ],
    [
      'an event kept for another merchant',
      'wrong',
      { books: { ...books, events: [{ ...event, app_id: 'other' }] } },
    ],
    [
      'an event of another status than its body has',
      'wrong',
      { books: { ...books, events: [{ ...event, status: 'TIME-OUT' }] } },
    ],
    [
      'an event of an order that is not there',
      'invented',
      { books: { ...books, events: [event, { ...event, event_id: 'evt_2', trade_no: 'ord_9' }] } },
    ],
    ['a chain left behind', 'lost', { books: { ...books, cursors: [] } }],
  ])('%s: %s', (_what, fault, changes) => {
    expect(faultsOf(changes)).toContain(fault);
  });

  it('knows the addresses that were promised, whatever the books call theirs', () => {
    const stranger = { ...promise, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
    const all = oursOf({ addresses: [{ address: '0xAA', trade_no: null, app_id: 'app' }] }, [stranger]);
    expect([...all]).toEqual(['0xaa', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c']);
  });

  it.each([
    ['to another merchant', { kind: 'available', owner: 'other' }],
    ['to the gateway', { kind: 'available', owner: 'gateway' }],
    ['from the custody of another chain', { kind: 'custody', owner: 'BSC' }],
    ['a fee to an app', { kind: 'fee', owner: 'app' }],
  ])('a credit to the wrong account: %s', (_what, change) => {
    const postings = books.postings.map((one) => (one.kind === change.kind ? { ...one, ...change } : one));
    expect(faultsOf({ books: { ...books, postings } })).toEqual(['lost', 'invented']);
  });

  it('money in another coin, kept for another merchant than the one of the address', () => {
    const other = { ...transfer, hash: '0x2', currencyId: 1002, units: 7n };
    const receipt = { reference: 'ETH/0x2/log:0', fact: 'unassigned-receipt', currency_id: 1002 };
    const keptFor = (owner: string): Partial<Readings> => ({
      finals: [{ ...final, transfers: [transfer, other] }],
      books: {
        ...books,
        transfers: [row, { ...row, tx_id: '0x2', currency_id: 1002, units: '7' }],
        postings: [
          ...books.postings,
          { ...receipt, kind: 'custody', owner: 'ETH', units: '-7' },
          { ...receipt, kind: 'unassigned', owner, units: '7' },
        ],
      },
    });
    expect(faultsOf(keptFor('app'))).toEqual([]);
    expect(faultsOf(keptFor('other'))).toEqual(['lost', 'invented']);
  });

  it('a payment to one merchant, in books that give the address to another', () => {
    const [custody, available, fee] = books.postings;
    const postings = [custody, { ...available, owner: 'other' }, fee];
    const orders = [order, { ...order, trade_no: 'ord_2', app_id: 'other', address: '0xbb' }];
    const addresses = [{ address: '0xaa', trade_no: 'ord_2', app_id: 'other' }];
    const found = compare({ ...good, books: { ...books, orders, postings, addresses } });
    expect(found.map(({ what }) => what)).toContain(
      'ETH/0x1 available of app 4998500 of 1001 (0 times in the books, 1 on the chain)',
    );
  });

  it.each<[string, object]>([
    ['another app', { appid: 'other' }],
    ['another order', { trade_no: 'ord_2' }],
    ["another order's number", { out_trade_no: 'a-2' }],
    ['another sum', { amount_collected: '5.000001' }],
    ['a sum in another form', { amount_collected: '5.0' }],
    ['a fiat amount that nobody named', { amount: '5.00' }],
    ['another price', { token_amount: '4' }],
    ['another chain', { chain: 'BSC' }],
    ['the number of another chain', { chain_id: 1 }],
    ['another type', { type: 'PAYOUT' }],
    ['another currency', { currency_id: 1002 }],
    ["another payment's transaction", { txid: '0x2' }],
    ['another status', { status: 'TIME-OUT' }],
    ['another time', { time: 1501 }],
    ['a number as text', { time: '1500' }],
    ['an address for the payer that nobody gave', { redirect_url: 'https://other.example' }],
    ['a field too much', { more: '' }],
    ['a field too little', { redirect_url: undefined }],
  ])('an event whose body has %s', (_what, change) => {
    const changed = JSON.stringify({ ...fields, ...change });
    const kept = { books: { ...books, events: [{ ...event, body: changed }] } };
    expect(faultsOf({ ...kept, deliveries: [{ ...delivery, body: changed }] })).toEqual(['wrong']);
  });

  it.each([
    ['a fee taken twice', { kind: 'fee', units: '3000' }],
    ['units that are not those of the chain', { kind: 'available', units: '4998501' }],
  ])('%s', (_what, change) => {
    const postings = books.postings.map((one) => (one.kind === change.kind ? { ...one, ...change } : one));
    expect(faultsOf({ books: { ...books, postings } })).toEqual(['lost', 'invented']);
  });
});
