// Each source on answers in its documented shape, and on what else may come: cut off, HTML, wrong types, nonsense.
import { fiatNames } from '@ducat/contract/fields/fiat-names';
import { formatDecimal } from '@ducat/core/money/decimal';
import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from '../get.ts';
import { type PriceSourceName, priceSources } from '../price-sources.ts';
import type { SourceAnswer } from '../source.ts';
import { coinPrices, fiatPrices } from '@ducat/testkit/rates/answers';
import { healthySpeech, type Reply } from '@ducat/testkit/rates/price-server';

/** Friday, 20 November 2026, 12:00 in UTC. */
const NOW = 1_795_176_000;
const MIDNIGHT = NOW - 12 * 3_600;
const coins = ['ETH', 'BNB', 'TRX', 'USDT', 'USDC', 'WETH', 'WKC', 'TWIN'];
const fiats = fiatNames.filter((name) => name !== 'USD' && name !== 'USDT');
const names = Object.keys(priceSources) as PriceSourceName[];
const healthy = healthySpeech(() => NOW);

/** One round of a fresh source on what `answer` says; every path asked for is added to `asked`. */
function ask(
  name: PriceSourceName,
  answer: (path: string) => Reply | null = healthy[name],
  asked: string[] = [],
): Promise<SourceAnswer> {
  const source = priceSources[name]();
  return source.fetch(getOf(answer, asked), source.kind === 'coin' ? coins : fiats);
}

function getOf(answer: (path: string) => Reply | null, asked: string[]) {
  return (path: string): Promise<HttpAnswer> => {
    asked.push(path);
    const { status = 200, body, headers } = answer(path) ?? { body: '' };
    const date = headers?.['date'] === undefined ? null : Math.floor(Date.parse(headers['date']) / 1000);
    return Promise.resolve({ status, text: String(body), date });
  };
}

/** The healthy answer with something else in it. */
function changed(name: PriceSourceName, from: string | RegExp, to: string): (path: string) => Reply | null {
  return (path) => {
    const reply = healthy[name](path);
    return reply === null ? null : { ...reply, body: String(reply.body).replace(from, to) };
  };
}

function lines({ readings }: SourceAnswer): readonly string[] {
  return readings.map(
    ({ base, quote, priceUnits, at }) => `${base} ${formatDecimal(priceUnits, 18)} ${quote} ${at - NOW}`,
  );
}

describe('on its documented answer', () => {
  it.each([
    ['coingecko', 'USD', 0, ['ETH', 'BNB', 'TRX', 'USDT', 'USDC', 'WETH']],
    ['binance', 'USDT', 0, ['ETH', 'BNB', 'TRX', 'USDC', 'WETH']],
    ['kraken', 'USD', 0, ['ETH', 'BNB', 'TRX', 'USDT', 'USDC', 'WETH']],
    ['coinbase', 'USD', 0, ['ETH', 'WETH', 'BNB', 'USDT']],
    ['okx', 'USD', 0, ['ETH', 'BNB', 'TRX', 'USDT', 'USDC', 'WETH']],
  ] as const)(
    '%s prices coins in %s, and leaves out what it does not know',
    async (name, quote, age, known) => {
      const answer = await ask(name);
      const expected = known.map(
        (symbol) => `${symbol} ${coinPrices[symbol === 'WETH' ? 'ETH' : symbol]} ${quote} ${age}`,
      );
      expect(lines(answer)).toEqual(expected);
      expect(answer.refused).toEqual([]);
      expect(new Set(answer.readings.map(({ source }) => source))).toEqual(new Set([name]));
    },
  );

  it.each([
    ['ecb', MIDNIGHT, ['TWD', 'RUB', 'VND']],
    ['er_api', NOW - 3_600, []],
    ['currency_api', MIDNIGHT, []],
    ['floatrates', NOW - 3_600, []],
  ] as const)('%s prices the dollar with a time of its own', async (name, at, missing) => {
    const answer = await ask(name);
    const expected = fiats
      .filter((fiat) => missing.every((each) => each !== fiat))
      .map((fiat) => `USD ${fiatPrices[fiat]} ${fiat} ${at - NOW}`);
    expect(lines(answer)).toEqual(expected);
    expect(answer.refused).toEqual([]);
  });

  it('covers every fiat name by at least three sources', async () => {
    const answers = await Promise.all(
      (['ecb', 'er_api', 'currency_api', 'floatrates'] as const).map((name) => ask(name)),
    );
    for (const fiat of fiats) {
      const who = answers.flatMap(({ readings }) => readings).filter(({ quote }) => quote === fiat);
      expect(who.length, fiat).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('on an answer that is none', () => {
  const whole: readonly (readonly [string, (name: PriceSourceName) => (path: string) => Reply | null])[] = [
    [
      'cut off',
      (name) => (path) => ({ ...healthy[name](path), body: String(healthy[name](path)?.body).slice(0, -20) }),
    ],
    ['a page of HTML', () => () => ({ body: '<!doctype html><html><body>Attention required</body></html>' })],
    ['empty', () => () => ({ body: '' })],
    ['null', () => () => ({ body: 'null' })],
    ['a number', () => () => ({ body: '42' })],
    ['a text', () => () => ({ body: '"prices"' })],
    ['nested without end', () => () => ({ body: '['.repeat(200_000) })],
    ['HTTP 429', (name) => (path) => ({ ...healthy[name](path), status: 429, body: 'slow down' })],
    ['HTTP 500 with a good body', (name) => (path) => ({ body: '', ...healthy[name](path), status: 500 })],
    ['HTTP 403', () => () => ({ status: 403, body: '{"error":"blocked"}' })],
  ];
  const cases = names.flatMap((name) => whole.map(([what, make]) => [name, what, make(name)] as const));
  it.each(cases)('%s: %s', async (name, _what, answer) => {
    await expect(ask(name, answer)).rejects.toMatchObject({ name: 'Outage', retryable: true });
  });

  it.each([
    ['binance', { status: 400, body: '{"code":-1121,"msg":"Invalid symbol."}' }, 'HTTP 400'],
    ['kraken', { body: '{"error":["EQuery:Unknown asset pair"]}' }, 'EQuery:Unknown asset pair'],
    ['kraken', { body: '{"error":[],"result":{}}' }, 'without a Date header'],
    ['okx', { body: '{"code":"50011","msg":"Rate limit reached","data":[]}' }, 'code 50011'],
    [
      'er_api',
      { body: '{"result":"error","error-type":"unsupported-code"}' },
      'does not call its answer a success',
    ],
    ['coingecko', { status: 429, body: '{"status":{"error_code":429}}' }, 'HTTP 429'],
  ] as const)('%s says itself what is wrong: %j', async (name, reply, reason) => {
    await expect(ask(name, () => reply)).rejects.toThrow(reason);
  });

  it.each([
    ['er_api', '"base_code":"USD"', '"base_code":"EUR"', 'another currency'],
    ['ecb', "currency='USD' rate='1.25'", "currency='USD' rate='0'", 'no usable rate of the dollar'],
    [
      'ecb',
      "<Cube currency='JPY'",
      "<Cube currency='USD' rate='9'/><Cube currency='JPY'",
      'reports a currency twice',
    ],
    ['ecb', '<Cube>', "<Cube><Cube time='2026-11-19'></Cube>", 'of several'],
    ['ecb', "currency='JPY'", 'currency=JPY', 'in another form'],
    ['ecb', "currency='USD' rate='1.25'", "currency='USD' rate=''", 'in another form'],
    ['ecb', "currency='USD'", "currency='AAA'", 'no number'],
    ['ecb', /time='[^']*'/, "time='20 November'", 'is no date'],
    ['currency_api', /"date": "[^"]*"/, '"date": "2026-13-45"', 'is no date'],
    [
      'er_api',
      `"time_last_update_unix":${NOW - 3_600}`,
      '"time_last_update_unix":"yesterday"',
      'is not a number',
    ],
  ] as const)('%s with %s as %s is refused as a whole', async (name, from, to, reason) => {
    await expect(ask(name, changed(name, from, to))).rejects.toThrow(reason);
  });
});

describe('on nonsense in one price', () => {
  /** How each source writes the price of ETH, or JPY. */
  const written: Readonly<Record<PriceSourceName, (price: string) => readonly [RegExp, string]>> = {
    coingecko: (price) => [/"ethereum":\{"usd":[^,]*/, `"ethereum":{"usd":${price}`],
    binance: (price) => [/("symbol":"ETHUSDT".*?"lastPrice":)"[^"]*"/, `$1${quoted(price)}`],
    kraken: (price) => [
      /("XETHZUSD":\{"a":\[)"[^"]*"(.*?"b":\[)"[^"]*"/,
      `$1${quoted(price)}$2${quoted(price)}`,
    ],
    coinbase: (price) => [/"price":"4000.5"/, `"price":${quoted(price)}`],
    okx: (price) => [/("instId":"ETH-USD","idxPx":)"[^"]*"/, `$1${quoted(price)}`],
    ecb: (price) => [/currency='JPY' rate='[^']*'/, `currency='JPY' rate='${price}'`],
    er_api: (price) => [/"JPY":[^,]*/, `"JPY":${price}`],
    currency_api: (price) => [/"jpy": [^,]*/, `"jpy": ${price}`],
    floatrates: (price) => [/("code":"JPY".*?"rate":)[^,]*/, `$1${price}`],
  };
  const prices = ['0', '-1', '-0.5', '0.0', '1e39', `1e-39`, '9'.repeat(40), '0.0000000001', '1e400'];
  const cases = names.flatMap((name) => prices.map((price) => [name, price] as const));

  it.each(cases)('%s: %s is kept out, the others stay', async (name, price) => {
    const answer = await ask(name, changed(name, ...written[name](price)));
    const good = await ask(name);
    const pair = priceSources[name]().kind === 'coin' ? 'ETH' : 'JPY';
    expect(answer.refused.some((reason) => reason.startsWith(pair) || reason.includes(` ${pair}: `))).toBe(
      true,
    );
    const isPair = (line: string) =>
      line.startsWith('ETH ') || line.startsWith('WETH ') || line.includes(' JPY ');
    const others = lines(good).filter((line) => !isPair(line));
    expect(lines(answer).filter((line) => !isPair(line))).toEqual(others);
    expect(lines(answer).filter((line) => line.startsWith('ETH ') || line.includes(' JPY '))).toEqual([]);
  });

  it.each([
    ['coingecko', '"4000.5"', 'is not a number'],
    ['coingecko', 'null', 'is not a number'],
    ['coingecko', '{}', 'is not a number'],
    ['binance', 'raw:4000.5', 'is not a text'],
    ['binance', 'raw:["4000.5"]', 'is not a text'],
    ['okx', 'raw:null', 'is not a text'],
    ['okx', '', 'is no price'],
    ['okx', '4 000', 'is no price'],
    ['okx', '0x10', 'is no price'],
    ['okx', '\u0664', 'is no price'],
    ['kraken', 'raw:true', 'is not a text'],
    ['er_api', '"150"', 'is not a number'],
    ['ecb', '1,5', 'is no number'],
  ] as const)('%s with the price %s: %s', async (name, price, reason) => {
    const { refused } = await ask(name, changed(name, ...written[name](price)));
    expect(refused[0]).toContain(reason);
  });

  it('reads an exponent as the number it is', async () => {
    const answer = await ask('floatrates', changed('floatrates', ...written.floatrates('1.5012e2')));
    expect(lines(answer)[0]).toBe(`USD 150.12 JPY -3600`);
  });

  it('keeps more digits than a double has', async () => {
    const exact = '4000.123456789012345678';
    const answer = await ask('coingecko', changed('coingecko', ...written.coingecko(exact)));
    expect(lines(answer)[0]).toBe(`ETH ${exact} USD 0`);
  });

  it.each([
    ['coingecko', `"last_updated_at":${NOW}`, '"last_updated_at":null', 'is not a number'],
    ['coingecko', `"last_updated_at":${NOW}`, '"last_updated_at":-5', 'is no Unix time'],
    ['binance', `"closeTime":${NOW}123`, '"closeTime":12', 'the time is absurd'],
    ['okx', `"ts":"${NOW}492"`, '"ts":"soon"', 'is no Unix time'],
    ['coinbase', /"time":"[^"]*"/, '"time":"2026-11-20 12:00:00"', 'is no date'],
    ['floatrates', /"date":"[^"]*"/, '"date":"yesterday"', 'is no date'],
    ['floatrates', '"code":"JPY"', '"code":"KRW"', 'another currency'],
    ['kraken', '"b":["4000.5"', '"b":["4001.5"', 'the bid is above the ask'],
  ] as const)('%s with %s as %s: %s', async (name, from, to, reason) => {
    const { refused } = await ask(name, changed(name, from, to));
    expect(refused[0]).toContain(reason);
  });

  it('reaches for no prototype', async () => {
    const source = priceSources.er_api();
    const get = getOf(changed('er_api', '"rates":{', '"rates":{"__proto__":{"XXX":5},'), []);
    const { readings } = await source.fetch(get, ['XXX', 'constructor', 'toString', '__proto__']);
    expect(readings).toEqual([]);
  });
});

describe('what is asked for', () => {
  it.each(['binance', 'kraken'] as const)(
    '%s: everything once, then only the pairs it trades',
    async (name) => {
      const source = priceSources[name]();
      const asked: string[] = [];
      await source.fetch(getOf(healthy[name], asked), coins);
      const second = await source.fetch(getOf(healthy[name], asked), coins);
      expect(second.readings.length).toBeGreaterThan(3);
      expect(asked[0]).not.toMatch(/ETH/);
      expect(decodeURIComponent(asked[1]!)).toMatch(/ETH/);
      expect(decodeURIComponent(asked[1]!)).not.toMatch(/WKC|TWIN/);
    },
  );

  it.each([
    ['binance', { status: 400, body: '{"code":-1121,"msg":"Invalid symbol."}' }],
    ['kraken', { body: '{"error":["EQuery:Unknown asset pair"]}' }],
  ] as const)('%s: everything again after a pair was delisted', async (name, delisted) => {
    const source = priceSources[name]();
    const asked: string[] = [];
    await source.fetch(getOf(healthy[name], asked), coins);
    await expect(
      source.fetch(
        getOf(() => delisted, asked),
        coins,
      ),
    ).rejects.toThrow(/HTTP 400|Unknown asset pair/);
    const third = await source.fetch(getOf(healthy[name], asked), coins);
    expect(third.readings.length).toBeGreaterThan(3);
    expect(asked[2]).toBe(asked[0]);
  });

  it('coinbase: the list of products once, then one ticker a coin; a delisted one is skipped', async () => {
    const source = priceSources.coinbase();
    const asked: string[] = [];
    const get = getOf(
      (path) =>
        path === '/products/BNB-USD/ticker'
          ? { status: 404, body: '{"message":"NotFound"}' }
          : healthy.coinbase(path),
      asked,
    );
    const first = await source.fetch(get, ['ETH', 'BNB', 'TRX']);
    expect(lines(first)).toEqual(['ETH 4000.5 USD 0']);
    expect(asked).toEqual(['/products', '/products/ETH-USD/ticker', '/products/BNB-USD/ticker']);
    await source.fetch(get, ['ETH']);
    expect(asked.slice(3)).toEqual(['/products', '/products/ETH-USD/ticker']);
    await source.fetch(get, ['ETH']);
    expect(asked.slice(5)).toEqual(['/products/ETH-USD/ticker']);
  });

  it.each(names)('%s: nothing that was not asked for', async (name) => {
    const source = priceSources[name]();
    const { readings } = await source.fetch(getOf(healthy[name], []), []);
    expect(readings).toEqual([]);
  });
});

/** A text value of JSON, or what follows "raw:" as it stands. */
function quoted(price: string): string {
  return price.startsWith('raw:') ? price.slice(4) : JSON.stringify(price);
}
