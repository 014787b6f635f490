// Answers of the public price APIs in the shapes that their documentation shows. They were written by hand, field by
// field, and not captured: the machine they were written on had no way to the internet. Prices and times are filled in.

/** Coins at round prices, so that a test can see at once what was used. */
export const coinPrices: Readonly<Record<string, string>> = {
  ETH: '4000.5',
  BNB: '900.25',
  TRX: '0.3012',
  USDT: '0.9998',
  USDC: '0.9999',
  BTC: '101000.01',
};

/** Fiat for one dollar. */
export const fiatPrices: Readonly<Record<string, string>> = {
  JPY: '150.12',
  CHF: '0.8012',
  CAD: '1.4023',
  NOK: '10.1234',
  SEK: '9.5432',
  HKD: '7.7821',
  SGD: '1.3011',
  KRW: '1400.55',
  TWD: '31.2345',
  CNY: '7.1123',
  INR: '88.1234',
  BRL: '5.4321',
  MXN: '18.5432',
  ZAR: '17.4321',
  RUB: '80.1234',
  TRY: '42.1234',
  EUR: '0.8',
  GBP: '0.7512',
  AUD: '1.5123',
  VND: '26123.45',
  THB: '32.4321',
};

type Prices = Readonly<Record<string, string>>;

const coingeckoIds: Prices = {
  ETH: 'ethereum',
  BNB: 'binancecoin',
  TRX: 'tron',
  USDT: 'tether',
  USDC: 'usd-coin',
  BTC: 'bitcoin',
};

/** CoinGecko, GET /simple/price with include_last_updated_at and precision=full. */
export function coingeckoAnswer(at: number, prices: Prices = coinPrices): string {
  const coins = Object.entries(prices).map(
    ([symbol, price]) => `"${coingeckoIds[symbol] ?? symbol}":{"usd":${price},"last_updated_at":${at}}`,
  );
  return `{${coins.join(',')}}`;
}

/** Binance, GET /api/v3/ticker/24hr with type=MINI. */
export function binanceAnswer(at: number, prices: Prices = coinPrices): string {
  const tickers = Object.entries(prices)
    .filter(([symbol]) => symbol !== 'USDT')
    .map(
      ([symbol, price]) =>
        `{"symbol":"${symbol}USDT","openPrice":"${price}","highPrice":"${price}","lowPrice":"${price}",` +
        `"lastPrice":"${price}","volume":"1234.50000000","quoteVolume":"4938000.00000000",` +
        `"openTime":${at - 86_400}000,"closeTime":${at}123,"firstId":1,"lastId":99,"count":99}`,
    );
  return `[${tickers.join(',')}]`;
}

const krakenPairs: Prices = { ETH: 'XETHZUSD', BTC: 'XXBTZUSD', USDT: 'USDTZUSD' };

/** Kraken, GET /0/public/Ticker. Bid and ask lie one unit of the last digit around the price. */
export function krakenAnswer(prices: Prices = coinPrices): string {
  const pairs = Object.entries(prices).map(
    ([symbol, price]) =>
      `"${krakenPairs[symbol] ?? `${symbol}USD`}":{"a":["${price}","1","1.000"],"b":["${price}","2","2.000"],` +
      `"c":["${price}","0.05"],"v":["10.1","20.2"],"p":["${price}","${price}"],"t":[1,2],` +
      `"l":["${price}","${price}"],"h":["${price}","${price}"],"o":"${price}"}`,
  );
  return `{"error":[],"result":{${pairs.join(',')}}}`;
}

/** Coinbase Exchange, GET /products, shortened to what distinguishes one product from another. */
export function coinbaseProducts(symbols: readonly string[] = ['ETH', 'BNB', 'USDT', 'BTC']): string {
  const products = symbols.map(
    (symbol) =>
      `{"id":"${symbol}-USD","base_currency":"${symbol}","quote_currency":"USD","quote_increment":"0.01",` +
      `"base_increment":"0.00000001","display_name":"${symbol}-USD","status":"online","trading_disabled":false}`,
  );
  return `[${products.join(',')}]`;
}

/** Coinbase Exchange, GET /products/<id>/ticker. */
export function coinbaseAnswer(at: number, price: string): string {
  const time = new Date(at * 1000).toISOString().replace('.000Z', '.833897Z');
  return (
    `{"ask":"${price}","bid":"${price}","volume":"53602.03940154","trade_id":86326522,"price":"${price}",` +
    `"size":"0.00698254","time":"${time}","rfq_volume":"42.1"}`
  );
}

/** OKX, GET /api/v5/market/index-tickers with quoteCcy=USD. */
export function okxAnswer(at: number, prices: Prices = coinPrices): string {
  const indexes = Object.entries(prices).map(
    ([symbol, price]) =>
      `{"instId":"${symbol}-USD","idxPx":"${price}","high24h":"${price}","sodUtc0":"${price}","open24h":"${price}",` +
      `"low24h":"${price}","sodUtc8":"${price}","ts":"${at}492"}`,
  );
  return `{"code":"0","msg":"","data":[${indexes.join(',')}]}`;
}

/** The European Central Bank, eurofxref-daily.xml, with the rates that the bank has: no TWD, RUB and VND. */
export function ecbAnswer(at: number, dollarsPerEuro: string = '1.25'): string {
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  // At 1.25 dollars the euro's rates are the dollar's times five quarters, and the euro costs 0.8 dollars.
  const rates = Object.entries(fiatPrices)
    .filter(([name]) => !['TWD', 'RUB', 'VND', 'EUR'].includes(name))
    .map(([name, price]) => `\t\t\t<Cube currency='${name}' rate='${timesFiveQuarters(price)}'/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='${day}'>
\t\t\t<Cube currency='USD' rate='${dollarsPerEuro}'/>
${rates.join('\n')}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>
`;
}

function timesFiveQuarters(price: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  const digits = (BigInt(whole + fraction) * 125n).toString().padStart(fraction.length + 3, '0');
  const point = digits.length - fraction.length - 2;
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** ExchangeRate-API, GET /v6/latest/USD of the open endpoint. */
export function erApiAnswer(at: number, prices: Prices = fiatPrices): string {
  const rates = Object.entries(prices).map(([name, price]) => `"${name}":${price}`);
  return (
    `{"result":"success","provider":"https://www.exchangerate-api.com",` +
    `"documentation":"https://www.exchangerate-api.com/docs/free","terms_of_use":"https://www.exchangerate-api.com/terms",` +
    `"time_last_update_unix":${at},"time_last_update_utc":"Fri, 20 Nov 2026 00:02:31 +0000",` +
    `"time_next_update_unix":${at + 86_400},"time_next_update_utc":"Sat, 21 Nov 2026 00:07:41 +0000",` +
    `"time_eol_unix":0,"base_code":"USD","rates":{"USD":1,${rates.join(',')}}}`
  );
}

/** currency-api, GET /v1/currencies/usd.json. */
export function currencyApiAnswer(at: number, prices: Prices = fiatPrices): string {
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  const rates = Object.entries(prices).map(([name, price]) => `\t\t"${name.toLowerCase()}": ${price}`);
  return `{\n\t"date": "${day}",\n\t"usd": {\n\t\t"usd": 1,\n${rates.join(',\n')}\n\t}\n}\n`;
}

/** FloatRates, GET /daily/usd.json. */
export function floatratesAnswer(at: number, prices: Prices = fiatPrices): string {
  const date = new Date(at * 1000).toUTCString();
  const rates = Object.entries(prices).map(
    ([name, price]) =>
      `"${name.toLowerCase()}":{"code":"${name}","alphaCode":"${name}","numericCode":"000","name":"${name}",` +
      `"rate":${price},"date":"${date}","inverseRate":6.9023031278661e-5}`,
  );
  return `{${rates.join(',')}}`;
}
