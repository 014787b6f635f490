// The statement of a merchant adds up to the unit, however it is cut.
import { availableOf, custodyOf, frozenOf, unassignedOf } from '@ducat/core/ledger/account';
import { entryOf } from '@ducat/core/ledger/entry';
import { amountOf } from '@ducat/core/money/amount';
import { formatDecimal } from '@ducat/core/money/decimal';
import { fiatValueOf } from '@ducat/core/money/rate';
import { RATE_DECIMALS } from '@ducat/core/money/reading';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { madeEntries } from '@ducat/testkit/reports/made-entries';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { insertEntries } from '../../../db/tables/books/ledger.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const mine = { merchant_id: 'mer_1' };
const ONE = 10n ** 18n;
const WAITING =
  'SELECT FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())';

let shop: DashboardShop;
let appId = '';
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  appId = shop.api.payment.appId;
  for (const units of [25_500_000n, 3_000_001n]) {
    await shop.orderPaid(`order-${units}`, String(Number(units) / 1_000_000), units);
    shop.api.world.advance(60_000);
  }
  const wish = { ...mine, app_id: appId, currency_id: 1001, amount: '5', to_address: TO };
  const shown = { most_cost: '20', fee_mode: 'on-top' } as const;
  const asked = { ...wish, request_id: 'click-0000000000001', ...shown };
  const { payout } = await shop.ask('payouts.create', asked, shop.finance);
  shop.api.world.advance(60_000);
  const cancelled = { ...mine, trade_no: payout.trade_no, reason: 'not needed' };
  await shop.ask('payouts.cancel', cancelled, shop.finance);
});
afterAll(() => shop?.close());

it('sums up, cut anywhere in time, by pages and as a file', async () => {
  const which = { ...mine, app_id: appId, currency_id: 1001 };
  const all = await shop.ask('balances.statement', which);
  const times = [...new Set(all.postings.map(({ at }) => at))];
  const cuts = times.flatMap((at) => [{ from: at }, { to: at }, { from: at + 1, to: at + 2 }]);
  for (const span of [{}, ...cuts]) {
    const { totals, postings } = await shop.ask('balances.statement', { ...which, ...span });
    for (const { account, opening, came, went, closing } of totals) {
      const moved = postings.filter((one) => one.account === account).map(({ amount }) => unitsOf(amount));
      const sum = moved.reduce((one, other) => one + other, 0n);
      expect([unitsOf(opening) + sum, unitsOf(came) - unitsOf(went)]).toEqual([unitsOf(closing), sum]);
    }
  }
  const paged: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await shop.ask('balances.statement', {
      ...which,
      limit: 1,
      ...(cursor === undefined ? {} : { cursor }),
    });
    paged.push(...page.postings.map(({ entry_id: id }) => id));
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(all.postings.map(({ entry_id: id }) => id));
  const { body } = await shop.owner.call('balances.export-statement', which);
  const lines = String(body['text']).trim().split('\r\n');
  expect(lines.filter((line) => line.includes('"opening"')).length).toBe(all.totals.length + 1);
  // Besides the accounts, all of them together.
  const standing = all.totals.length + 1;
  expect(lines.length).toBe(1 + 2 * standing + all.postings.length);
  const { closing } = all.totals.find(({ account }) => account === 'available')!;
  expect(lines.at(-standing)).toContain(`"","","closing","","available","1001","","","${closing}",`);
});

it('exports no entry without an older one that is being booked', async () => {
  const which = { ...mine, app_id: appId, currency_id: 1001 };
  const { transact, reader } = shop.api.database;
  let goOn = () => {};
  const gate = new Promise<void>((open) => {
    goOn = open;
  });
  // Booked on an account of its own, so that others do not wait for it.
  const older = entryOf('unassigned-receipt', 'older-one', [
    { account: custodyOf('OTHER'), amount: amountOf(1001, -7n) },
    { account: unassignedOf(appId), amount: amountOf(1001, 7n) },
  ]);
  const newer = entryOf('reservation', 'newer-one', [
    { account: availableOf(appId), amount: amountOf(1001, -1n) },
    { account: frozenOf(appId), amount: amountOf(1001, 1n) },
  ]);
  let booking: Promise<void> = Promise.resolve();
  await new Promise<void>((begun) => {
    booking = transact(async (tx) => {
      await insertEntries(tx, [older], 0);
      begun();
      await gate;
    });
  });
  await transact((tx) => insertEntries(tx, [newer], 0));
  const exported = shop.owner.call('balances.export-statement', which);
  await waitUntil('the export to wait for the booking', async () => {
    const waiting = await reader.read(WAITING, []);
    return waiting.length > 0;
  });
  goOn();
  await booking;
  const text = String((await exported).body['text']);
  expect([text.includes('newer-one'), text.includes('older-one')]).toEqual([true, true]);
});

it('sums of one merchant take one connection, and leave the others to everybody else', async () => {
  const which = { ...mine, app_id: appId, currency_id: 1001 };
  const { transact, apart } = shop.api.database;
  let sums: readonly ReturnType<typeof shop.owner.call>[] = [];
  await transact(async (tx) => {
    await tx.write('LOCK TABLE price_history', []);
    // More than there are connections.
    sums = Array.from({ length: 30 }, () => shop.owner.call('balances.sum-receipts', which));
    await waitUntil('a sum to wait', async () => {
      const waiting = await apart.reader.read(WAITING, []);
      return waiting.length > 0;
    });
    expect(await shop.owner.call('apps.list', mine)).toMatchObject({ status: 200 });
  });
  const answers = await Promise.all(sums);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(await shop.owner.call('balances.sum-receipts', which)).toMatchObject({ status: 200 });
});

describe('the value of a receipt', () => {
  const net = amountOf(1001, 2_999_101n);
  const cases: readonly [string, readonly (readonly [number, bigint])[], number | null][] = [
    [
      'the newest that is not later',
      [
        [-1_900, 7n],
        [-60, ONE - 1n],
        [1, 3n * ONE],
      ],
      1,
    ],
    ['one of that very second', [[0, ONE / 3n]], 0],
    ['one that is an hour old', [[-3_600, 2n * ONE]], 0],
    [
      'none where the newest is older',
      [
        [-3_601, 2n * ONE],
        [5, 2n * ONE],
      ],
      null,
    ],
  ];
  it.each(cases)('is by a price: %s', async (name, prices, chosen) => {
    const which = { ...mine, app_id: appId, currency_id: 1001 };
    // In steps, so that nobody is signed out meanwhile.
    for (let minutes = 0; minutes < 66; minutes += 11) {
      shop.api.world.advance(11 * 60_000);
      await shop.ask('balances.statement', which);
    }
    const now = Math.floor(shop.api.world.nowMs() / 1_000);
    await shop.api.database.transact(async (tx) => {
      for (const [offset, priceUnits] of prices)
        await tx.write('INSERT INTO price_history VALUES (1001, $1, $2)', [now + offset, String(priceUnits)]);
    });
    const before = await shop.ask('balances.sum-receipts', which);
    const tradeNo = await shop.orderPaid(name, '3.000001', 3_000_001n);
    const { totals, postings } = await shop.ask('balances.statement', which);
    const [offset, priceUnits] = chosen === null ? [0, null] : prices[chosen]!;
    const value =
      priceUnits === null ? 0n : fiatValueOf(net, { fiat: 'USD', priceUnits }, { decimals: 6 }, 6, 'down');
    const text = formatDecimal(value, 6);
    const shown = priceUnits === null ? null : text;
    expect(postings[0]).toMatchObject({ fact: 'deposit', receipt: { value_usd: shown, trade_no: tradeNo } });
    const sum = await shop.ask('balances.sum-receipts', which);
    expect(sum).toEqual({
      receipts: before.receipts + 1,
      unpriced: before.unpriced + (priceUnits === null ? 1 : 0),
      value_usd: formatDecimal(unitsOf(before.value_usd) + value, 6),
    });
    const { body } = await shop.owner.call('balances.export-statement', which);
    const lines = String(body['text']).trim().split('\r\n');
    const time = new Date((now + offset) * 1_000).toISOString();
    const evidence =
      priceUnits === null
        ? `"","","","1"`
        : `"${text}","${formatDecimal(priceUnits, RATE_DECIMALS)}","${time}","0"`;
    expect(lines.find((line) => line.includes(`"${postings[0]!.entry_id}"`))).toContain(evidence);
    // One receipt of no order, of before there were prices, is unassigned.
    expect(lines.at(-totals.length - 1)).toContain(
      `"","","closing","","available","1001","","","${totals[0]!.closing}","${sum.value_usd}","","","${sum.unpriced - 1}",`,
    );
    expect(lines.at(-2)).toMatch(/"unassigned".*,"0","","","1","0.000007","0","0","0"$/);
    expect(lines.at(-1)).toContain(`"${sum.value_usd}","","","${sum.unpriced}",`);
  });

  it('is asked of what came from outside alone, wherever it stands', async () => {
    const which = { ...mine, app_id: appId, currency_id: 1001 };
    const { postings } = await shop.ask('balances.statement', which);
    const received = postings.filter(({ receipt }) => receipt !== null);
    expect(new Set(received.map(({ fact, account }) => `${fact} ${account}`))).toEqual(
      new Set(['deposit available', 'unassigned-receipt unassigned']),
    );
    const { receipts } = await shop.ask('balances.sum-receipts', which);
    expect(receipts).toBe(received.length);
    const [last] = received;
    expect(await shop.ask('balances.sum-receipts', { ...which, from: last!.at })).toMatchObject({
      receipts: 1,
    });
    expect(await shop.ask('balances.sum-receipts', { ...which, to: last!.at })).toMatchObject({
      receipts: receipts - 1,
    });
  });
});

describe('what came, fees, what was paid out and network fees', () => {
  const CURRENCY = 1002;
  beforeAll(() =>
    shop.api.database.transact(async (tx) => {
      for (const { atMs, entries } of madeEntries(appId, CURRENCY, 24))
        for (const entry of entries) await insertEntries(tx, [entry], atMs);
    }),
  );

  it.each([
    ['all of it', 0, 1],
    ['to a time', 0, 0.7],
    ['from a time', 0.3, 1],
    ['between two', 0.2, 0.8],
    ['in no time', 0.5, 0.5],
  ])('add up to the last unit, in sums, days, lines and the file: %s', async (_span, first, last) => {
    const which = { ...mine, app_id: appId, currency_id: CURRENCY };
    const { postings } = await shop.ask('balances.statement', { ...which, limit: 100 });
    const cut = (part: number) => postings.at(Math.floor((postings.length - 1) * (1 - part)))!.at;
    const span = { ...(first > 0 && { from: cut(first) }), ...(last < 1 && { to: cut(last) }) };
    const sum = await shop.ask('balances.sum-statement', { ...which, ...span });
    const { totals } = await shop.ask('balances.statement', { ...which, ...span });
    const [opening, closing] = [sumOf(totals, 'opening'), sumOf(totals, 'closing')];
    expect([unitsOf(sum.opening), unitsOf(sum.closing)]).toEqual([opening, closing]);
    expect(opening + riseOf(sum)).toBe(closing);
    expect(sum.days.reduce((rise, day) => rise + riseOf(day), 0n)).toBe(closing - opening);
    const { body } = await shop.owner.call('balances.export-statement', { ...which, ...span });
    const rows = String(body['text'])
      .trim()
      .split('\r\n')
      .map((line) => line.slice(1, -1).split('","'));
    const all = rows.at(-1)!;
    expect(all.slice(-4)).toEqual([sum.received, sum.fee, sum.paid_out, sum.network_charge]);
    const moves = rows.slice(1).filter(([time]) => time !== '');
    for (const column of [-4, -3, -2, -1])
      expect(sumOf(moves, all.length + column)).toBe(unitsOf(all.at(column)!));
  });

  it('are those of the ledger', async () => {
    const which = { ...mine, app_id: appId, currency_id: CURRENCY };
    const sum = await shop.ask('balances.sum-statement', which);
    const rows = await shop.api.database.reader.read<{ kind: string; units: string }>(
      `SELECT kind, sum(balance) AS units FROM accounts WHERE currency_id = $1 GROUP BY kind`,
      [CURRENCY],
    );
    const ledger = Object.fromEntries(rows.map(({ kind, units }) => [kind, BigInt(units)]));
    const [received, paidOut] = [unitsOf(sum.received), unitsOf(sum.paid_out)];
    expect(sum.opening).toBe('0');
    expect(ledger['custody']).toBe(paidOut - received);
    expect([ledger['fee'], ledger['network-charge']]).toEqual([
      unitsOf(sum.fee),
      unitsOf(sum.network_charge),
    ]);
    expect([sum.fee, sum.network_charge, sum.paid_out]).not.toContain('0');
  });

  type Sides = Record<'received' | 'fee' | 'paid_out' | 'network_charge', string>;
  const riseOf = (one: Sides) =>
    unitsOf(one.received) - unitsOf(one.fee) - unitsOf(one.paid_out) - unitsOf(one.network_charge);
});

const sumOf = <Key extends string | number>(rows: readonly { readonly [K in Key]?: string }[], key: Key) =>
  rows.reduce((sum, row) => sum + unitsOf(row[key] || '0'), 0n);

/** Of USDT, with a sign where it has one. */
function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  return BigInt(`${whole}${fraction.padEnd(6, '0')}`) * (amount.startsWith('-') ? -1n : 1n);
}
