// The coins whose prices are asked for, and their names at the sources, because one symbol may mean many coins.

export interface Asset {
  /** CoinGecko's id, which is unique where symbols are not. */
  readonly coingecko: string;
  /**
   * The exchanges' name, where it is not the asset's name in capitals; null where they do not trade it, or trade another
   * coin under that name.
   */
  readonly ticker?: string | null;
}

/**
 * By the name of the rate asset: a currency's symbol unless the currency names another. WETH, WBNB and WTRX are priced as
 * the coin that their contracts pay out at any time. Anything that an issuer promises to redeem has a market price of its
 * own or none, stablecoins and coins of other chains included: `ETH@BSC` is not ETH. docs/decisions/0022-rate-assets.md has
 * the exceptions.
 */
const assets: Readonly<Record<string, Asset>> = {
  ETH: { coingecko: 'ethereum' },
  WETH: { coingecko: 'ethereum', ticker: 'ETH' },
  BNB: { coingecko: 'binancecoin' },
  WBNB: { coingecko: 'binancecoin', ticker: 'BNB' },
  TRX: { coingecko: 'tron' },
  WTRX: { coingecko: 'tron', ticker: 'TRX' },
  BTC: { coingecko: 'bitcoin' },
  WBTC: { coingecko: 'wrapped-bitcoin' },
  cbBTC: { coingecko: 'coinbase-wrapped-btc' },
  tBTC: { coingecko: 'tbtc' },
  USDT: { coingecko: 'tether' },
  USDC: { coingecko: 'usd-coin' },
  wstETH: { coingecko: 'wrapped-steth', ticker: null },
  rETH: { coingecko: 'rocket-pool-eth', ticker: null },
  BTCB: { coingecko: 'binance-bitcoin', ticker: null },
  sTRX: { coingecko: 'staked-trx', ticker: null },
  DAI: { coingecko: 'dai' },
  USDS: { coingecko: 'usds' },
  PYUSD: { coingecko: 'paypal-usd' },
  USDe: { coingecko: 'ethena-usde' },
  TUSD: { coingecko: 'true-usd' },
  USD1: { coingecko: 'usd1-wlfi' },
  RLUSD: { coingecko: 'ripple-usd' },
  FDUSD: { coingecko: 'first-digital-usd' },
  USDD: { coingecko: 'usdd' },
  EURC: { coingecko: 'euro-coin' },
  GUSD: { coingecko: 'gemini-dollar' },
  FRAX: { coingecko: 'frax', ticker: null },
  LUSD: { coingecko: 'liquity-usd' },
  lisUSD: { coingecko: 'helio-protocol-hay', ticker: null },
  USDJ: { coingecko: 'just-stablecoin', ticker: null },
  PAXG: { coingecko: 'pax-gold' },
  LINK: { coingecko: 'chainlink' },
  UNI: { coingecko: 'uniswap' },
  AAVE: { coingecko: 'aave' },
  SHIB: { coingecko: 'shiba-inu' },
  PEPE: { coingecko: 'pepe' },
  POL: { coingecko: 'polygon-ecosystem-token' },
  MATIC: { coingecko: 'matic-network' },
  MKR: { coingecko: 'maker' },
  LDO: { coingecko: 'lido-dao' },
  SKY: { coingecko: 'sky' },
  CRV: { coingecko: 'curve-dao-token' },
  COMP: { coingecko: 'compound-governance-token' },
  SNX: { coingecko: 'havven' },
  GRT: { coingecko: 'the-graph' },
  ENS: { coingecko: 'ethereum-name-service' },
  APE: { coingecko: 'apecoin' },
  SAND: { coingecko: 'the-sandbox' },
  MANA: { coingecko: 'decentraland' },
  AXS: { coingecko: 'axie-infinity' },
  IMX: { coingecko: 'immutable-x' },
  ARB: { coingecko: 'arbitrum' },
  ONDO: { coingecko: 'ondo-finance' },
  ENA: { coingecko: 'ethena' },
  '1INCH': { coingecko: '1inch' },
  SUSHI: { coingecko: 'sushi' },
  BAT: { coingecko: 'basic-attention-token' },
  CHZ: { coingecko: 'chiliz' },
  QNT: { coingecko: 'quant-network' },
  ENJ: { coingecko: 'enjincoin' },
  XRP: { coingecko: 'ripple' },
  ADA: { coingecko: 'cardano' },
  DOGE: { coingecko: 'dogecoin' },
  LTC: { coingecko: 'litecoin' },
  DOT: { coingecko: 'polkadot' },
  BCH: { coingecko: 'bitcoin-cash' },
  ATOM: { coingecko: 'cosmos' },
  FIL: { coingecko: 'filecoin' },
  SOL: { coingecko: 'solana' },
  AVAX: { coingecko: 'avalanche-2' },
  INJ: { coingecko: 'injective-protocol' },
  CAKE: { coingecko: 'pancakeswap-token' },
  XVS: { coingecko: 'venus' },
  TWT: { coingecko: 'trust-wallet-token' },
  FLOKI: { coingecko: 'floki' },
  LISTA: { coingecko: 'lista' },
  SUN: { coingecko: 'sun-token' },
  JST: { coingecko: 'just' },
  WIN: { coingecko: 'wink' },
  BTT: { coingecko: 'bittorrent' },
  NFT: { coingecko: 'apenft' },
  HTX: { coingecko: 'htx-dao' },
  'ETH@BSC': { coingecko: 'binance-peg-weth', ticker: null },
  'XRP@BSC': { coingecko: 'binance-peg-xrp', ticker: null },
  'ADA@BSC': { coingecko: 'binance-peg-cardano', ticker: null },
  'DOGE@BSC': { coingecko: 'binance-peg-dogecoin', ticker: null },
  'LTC@BSC': { coingecko: 'binance-peg-litecoin', ticker: null },
  'DOT@BSC': { coingecko: 'binance-peg-polkadot', ticker: null },
  'BCH@BSC': { coingecko: 'binance-peg-bitcoin-cash', ticker: null },
  'FIL@BSC': { coingecko: 'binance-peg-filecoin', ticker: null },
  'EOS@BSC': { coingecko: 'binance-peg-eos', ticker: null },
  'AVAX@BSC': { coingecko: 'binance-peg-avalanche', ticker: null },
  'BUSD@BSC': { coingecko: 'binance-peg-busd', ticker: null },
  'SHIB@BSC': { coingecko: 'binance-peg-shib', ticker: null },
};

const MOVED = 'its coin lives on another chain by now, and no source reports what this form of it is worth';
const BRIDGED =
  'it is a promise of a coin of another chain, and no source reports a price of the promise itself';

/** Assets that no source prices, and why. A price in the token itself is accepted all the same. */
const unpriced: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['DAI@BSC', 'ATOM@BSC', 'SOL@BSC', 'MATIC@BSC', 'TRX@BSC', 'LINK@BSC', 'UNI@BSC', 'AAVE@BSC', 'AXS@BSC']
      .concat(['USDC@Tron', 'BTC@Tron', 'WBTC@Tron', 'ETH@Tron', 'LTC@Tron', 'DOGE@Tron'])
      .map((name) => [name, BRIDGED]),
  ),
  ...Object.fromEntries(['CHZ@ETH', 'ENJ@ETH', 'INJ@BSC', 'BTT@BSC'].map((name) => [name, MOVED])),
  WKC: 'no market trades it',
  'WKC@BSC': 'no source asked here reports its price',
  USDDOLD: 'it was replaced by USDD 2.0, whose price is not its own',
  HT: 'it was replaced by HTX, and no market trades it any more',
  WBTT: 'it wraps the BTT of before its redenomination, which no market trades',
};

/** The assets that exchanges trade, each with its name there. */
export function tickersOf(names: readonly string[]): readonly (readonly [name: string, ticker: string])[] {
  return names.flatMap((name) => {
    const { ticker } = assetOf(name) ?? { ticker: null };
    return ticker === null ? [] : [[name, ticker ?? name.toUpperCase()] as const];
  });
}

/** The assets that this list knows, each with CoinGecko's id. */
export function coingeckoIdsOf(names: readonly string[]): readonly (readonly [name: string, id: string])[] {
  return names.flatMap((name) => {
    const asset = assetOf(name);
    return asset === undefined ? [] : [[name, asset.coingecko] as const];
  });
}

/** How many kinds of sources may know the asset's price: exchanges and CoinGecko, CoinGecko alone, or none. */
export function sourcesOf(name: string): 'several' | 1 | 0 {
  const asset = assetOf(name);
  if (asset === undefined) return 0;
  return asset.ticker === null ? 1 : 'several';
}

/**
 * Why no source can be asked for the asset's price; null where one can. A `name` of null is a token without a rate asset.
 */
export function whyUnpriced(name: string | null): string | null {
  if (name === null) return 'the operator has not said what it is worth (rate_asset)';
  if (assetOf(name) !== undefined) return null;
  return Object.hasOwn(unpriced, name)
    ? (unpriced[name] ?? null)
    : 'Ducat does not know what the sources call it';
}

/** Whether the asset is listed here: it has sources, or is known to have none. */
export function isConsidered(name: string): boolean {
  return Object.hasOwn(assets, name) || Object.hasOwn(unpriced, name);
}

function assetOf(name: string): Asset | undefined {
  return Object.hasOwn(assets, name) ? assets[name] : undefined;
}

/** Every asset that some source prices, by name. */
export const pricedAssets: readonly string[] = Object.keys(assets).toSorted();
