// The coins whose prices are asked for, and what sources call them: a symbol alone may mean many coins.

export interface Asset {
  /** CoinGecko's id, which is unique where symbols are not. */
  readonly coingecko: string;
  /** What exchanges call it, where that is not the symbol in capitals. */
  readonly ticker?: string;
}

/**
 * A coin that is not here has no price in fiat. WETH, WBNB and WTRX are priced as what their contracts pay out for
 * them at any time; coins that somebody promises to redeem, stablecoins among them, have a market price of their own.
 */
export const assets: Readonly<Record<string, Asset>> = {
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
  PAXG: { coingecko: 'pax-gold' },
  LINK: { coingecko: 'chainlink' },
  UNI: { coingecko: 'uniswap' },
  AAVE: { coingecko: 'aave' },
  SHIB: { coingecko: 'shiba-inu' },
  PEPE: { coingecko: 'pepe' },
  POL: { coingecko: 'polygon-ecosystem-token' },
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
};

/** The symbols that are known here, each with what an exchange calls it. */
export function tickersOf(
  symbols: readonly string[],
): readonly (readonly [symbol: string, ticker: string])[] {
  return symbols.flatMap((symbol) => {
    const asset = Object.hasOwn(assets, symbol) ? assets[symbol] : undefined;
    return asset === undefined ? [] : [[symbol, asset.ticker ?? symbol.toUpperCase()] as const];
  });
}
