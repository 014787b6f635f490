// What a new order is due, until when, and every request that is refused with the field at fault.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import type { Currency } from '../chain/currency.ts';
import { amountOf } from '../money/amount.ts';
import { parseRate, type Quote } from '../money/rate.ts';
import { accept, refuse, type Result } from '../result.ts';
import { needsQuote, openOrder, type OrderRequest, quoteAmount } from './order.ts';

const NOW = 1_700_000_000;
const DAY = 24 * 60 * 60;
const usdt: Currency = {
  currencyId: 1001,
  symbol: 'USDT',
  contract: '0xdac',
  decimals: 6,
  displayDecimals: 2,
  enabled: true,
};
const quote = accept<Quote>({ rate: parseRate('USD', '3')!, at: NOW, source: 'fixed', evidence: [] });
const noQuote = refuse({ code: 'rate-unavailable', message: 'two of four sources are too old' });

const says: Readonly<Record<string, readonly string[]>> = {
  fiat_name: ['fiat_name is required where fiat_amount is given'],
  fiat_amount: [
    'fiat_amount must be a plain decimal with at most 8 decimals',
    'fiat_amount must be more than zero',
    'fiat_amount is more than the chain can count',
  ],
  token_amount: [
    'token_amount or fiat_amount with fiat_name is required',
    'token_amount must be a plain decimal with at most 6 decimals, as USDT has',
    'token_amount must be more than zero',
    'token_amount is more than the chain can count',
  ],
  time_out: [
    'time_out must be 0 or a Unix time in seconds with ten digits',
    'time_out must lie between one minute and 30 days from now',
  ],
};

describe('openOrder refuses', () => {
  const token = { tokenAmount: '1' };
  const fiat = { fiatName: 'USD', fiatAmount: '10' };
  const cases: readonly (readonly [string, OrderRequest, Result<Quote>, string, string | undefined])[] = [
    ['neither amount (B1)', {}, quote, 'field-invalid', 'token_amount'],
    ['a fiat name alone (B1)', { fiatName: 'USD' }, quote, 'field-invalid', 'token_amount'],
    ['fiat without its name (B1)', { fiatAmount: '10' }, quote, 'field-invalid', 'fiat_name'],
    [
      'fiat without its name beside tokens (B1)',
      { fiatAmount: '10', tokenAmount: '1' },
      quote,
      'field-invalid',
      'fiat_name',
    ],
    ['fiat without a young rate (B2)', fiat, noQuote, 'rate-unavailable', undefined],
    [
      'a wrong sum before a missing rate',
      { ...fiat, fiatAmount: 'x' },
      noQuote,
      'field-invalid',
      'fiat_amount',
    ],
    ['no fiat', { fiatName: 'USD', fiatAmount: '0' }, quote, 'field-invalid', 'fiat_amount'],
    [
      'a fiat label that is no decimal',
      { ...fiat, fiatAmount: '1e3', tokenAmount: '1' },
      quote,
      'field-invalid',
      'fiat_amount',
    ],
    [
      'fiat with nine decimals',
      { ...fiat, fiatAmount: '1.000000001' },
      quote,
      'field-invalid',
      'fiat_amount',
    ],
    [
      'fiat worth more than a chain counts',
      { ...fiat, fiatAmount: '9'.repeat(80) },
      quote,
      'field-invalid',
      'fiat_amount',
    ],
    ['tokens with a sign (A9)', { tokenAmount: '-1' }, quote, 'field-invalid', 'token_amount'],
    ['tokens with a plus (A9)', { tokenAmount: '+1' }, quote, 'field-invalid', 'token_amount'],
    ['tokens with an exponent (A9)', { tokenAmount: '1e3' }, quote, 'field-invalid', 'token_amount'],
    ['tokens with a space (A9)', { tokenAmount: ' 1' }, quote, 'field-invalid', 'token_amount'],
    ['tokens in other digits (A9)', { tokenAmount: '٣' }, quote, 'field-invalid', 'token_amount'],
    ['empty tokens (A9)', { tokenAmount: '' }, quote, 'field-invalid', 'token_amount'],
    [
      'tokens with seven decimals of six (A9)',
      { tokenAmount: '1.0000001' },
      quote,
      'field-invalid',
      'token_amount',
    ],
    [
      'a seventh decimal that is zero (A9)',
      { tokenAmount: '1.0000000' },
      quote,
      'field-invalid',
      'token_amount',
    ],
    ['no tokens', { tokenAmount: '0.000000' }, quote, 'field-invalid', 'token_amount'],
    ['2^256 units', { tokenAmount: (2n ** 256n).toString() }, quote, 'field-invalid', 'token_amount'],
    ['a time_out in the past (B4)', { ...token, timeOut: NOW - 1 }, quote, 'field-invalid', 'time_out'],
    ['a time_out of now (B4)', { ...token, timeOut: NOW }, quote, 'field-invalid', 'time_out'],
    ['a time_out in 59 seconds (B4)', { ...token, timeOut: NOW + 59 }, quote, 'field-invalid', 'time_out'],
    [
      'a time_out after 30 days (B4)',
      { ...token, timeOut: NOW + 30 * DAY + 1 },
      quote,
      'field-invalid',
      'time_out',
    ],
    [
      'a time_out of 13 digits (B4)',
      { ...token, timeOut: (NOW + 600) * 1000 },
      quote,
      'field-invalid',
      'time_out',
    ],
    ['a duration as time_out (B4)', { ...token, timeOut: 1_800 }, quote, 'field-invalid', 'time_out'],
    ['a negative time_out (B4)', { ...token, timeOut: -1 }, quote, 'field-invalid', 'time_out'],
  ];

  it.each(cases)('%s', (_, request, at, code, field) => {
    const opened = openOrder(request, usdt, at, NOW);
    expect(opened).toMatchObject({ ok: false, refusal: { code } });
    if (opened.ok) return;
    expect(opened.refusal.field).toBe(field);
    expect(says[field ?? ''] ?? [noQuote.refusal.message]).toContain(opened.refusal.message);
  });
});

it.each([
  [999_999_999, 0],
  [1_000_000_000, 1],
  [9_999_999_999, 1],
  [10_000_000_000, 0],
])('a time_out of %i has ten digits, or is refused before its window is looked at (B4)', (timeOut, which) => {
  expect(openOrder({ tokenAmount: '1', timeOut }, usdt, null, NOW)).toMatchObject({
    refusal: { message: says['time_out']?.[which] },
  });
});

it('an order priced in fiat asks for a rate', () => {
  expect(() => openOrder({ fiatName: 'USD', fiatAmount: '1' }, usdt, null, NOW)).toThrow(Bug);
});

describe('openOrder accepts', () => {
  it.each([
    ['tokens alone', { tokenAmount: '1.5' }, 1_500_000n],
    ['tokens before fiat (B1)', { tokenAmount: '1.5', fiatName: 'USD', fiatAmount: '10' }, 1_500_000n],
    ['fiat at the rate, rounded up at two digits (B2)', { fiatName: 'USD', fiatAmount: '10' }, 3_340_000n],
    ['the least unit', { tokenAmount: '0.000001' }, 1n],
  ])('%s', (_, request, units) => {
    expect(openOrder(request, usdt, quote, NOW)).toEqual({
      ok: true,
      value: { due: amountOf(1001, units), collected: amountOf(1001, 0n), timeExpire: NOW + 1_800 },
    });
  });

  it.each([
    ['30 minutes where none is given', undefined, NOW + 1_800],
    ['30 minutes for 0', 0, NOW + 1_800],
    ['one minute', NOW + 60, NOW + 60],
    ['30 days', NOW + 30 * DAY, NOW + 30 * DAY],
  ])('an expiry of %s (B4)', (_, timeOut, expected) => {
    const opened = openOrder({ tokenAmount: '1', timeOut }, usdt, null, NOW);
    expect(opened).toMatchObject({ ok: true, value: { timeExpire: expected } });
  });

  it('a time_out exactly within its window, whatever the time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 31 * DAY }), (ahead) => {
        const opened = openOrder({ tokenAmount: '1', timeOut: NOW + ahead }, usdt, null, NOW);
        expect(opened.ok).toBe(ahead >= 60 && ahead <= 30 * DAY);
      }),
    );
  });

  it('the most that a chain counts, where the token has no decimals', () => {
    const whole = { ...usdt, decimals: 0, displayDecimals: 0 };
    const most = 2n ** 256n - 1n;
    expect(openOrder({ tokenAmount: most.toString() }, whole, null, NOW)).toMatchObject({
      ok: true,
      value: { due: amountOf(1001, most) },
    });
  });
});

describe('needsQuote', () => {
  it.each([
    [{ tokenAmount: '1' }, false],
    [{ tokenAmount: '1', fiatName: 'USD', fiatAmount: '1' }, false],
    [{ fiatName: 'USD', fiatAmount: '1' }, true],
    [{}, false],
  ])('of %j is %s', (request, expected) => {
    expect(needsQuote(request)).toBe(expected);
  });
});

describe('quoteAmount', () => {
  it('passes on why there is no rate', () => {
    expect(quoteAmount('1', usdt, noQuote)).toEqual(noQuote);
  });

  it('is the most that a chain counts, and no unit more', () => {
    const whole = { ...usdt, decimals: 0, displayDecimals: 0 };
    const one = accept<Quote>({ rate: parseRate('USD', '1')!, at: NOW, source: 'fixed', evidence: [] });
    const most = 2n ** 256n - 1n;
    expect(quoteAmount(`${most}`, whole, one)).toEqual({ ok: true, value: amountOf(1001, most) });
    expect(quoteAmount(`${most + 1n}`, whole, one).ok).toBe(false);
  });

  it('is what an order for the same sum would be due', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), (cents) => {
        const fiatAmount = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
        const quoted = quoteAmount(fiatAmount, usdt, quote);
        const opened = openOrder({ fiatName: 'USD', fiatAmount }, usdt, quote, NOW);
        expect(quoted.ok && opened.ok && opened.value.due).toEqual(quoted.ok && quoted.value);
        expect(quoted.ok).toBe(true);
      }),
    );
  });
});
