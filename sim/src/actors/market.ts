// The prices of coins: one for each symbol in each fiat, a new one every few seconds, all of them drawn from the seed.
import { Chance } from '../world/chance.ts';

/** The fiats that orders are priced in; no two of them are worth the same. */
export const fiats = ['USD', 'EUR'] as const;
export type Fiat = (typeof fiats)[number];

/** How long a price stands, in seconds. */
const STEP_S = 20;
/** How far a price moves from its base price, either way, in parts per million. */
const MAX_MOVE_PPM = 50_000;
/** The value of one dollar in each fiat, in parts per million. */
const WORTH_PPM: Readonly<Record<Fiat, bigint>> = { USD: 1_000_000n, EUR: 871_309n };

export class Market {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The price of one whole token in 10^-18 of the fiat, at a Unix time. Hardly any amount divides by it evenly. */
  priceUnits(symbol: string, fiat: Fiat, time: number): bigint {
    const home = homeOf(symbol, new Chance(this.#seed, `price ${symbol}`));
    const step = Math.floor(time / STEP_S);
    const moved = new Chance(this.#seed, `price ${symbol} ${fiat} ${step}`).between(
      -MAX_MOVE_PPM,
      MAX_MOVE_PPM,
    );
    return (home * WORTH_PPM[fiat] * BigInt(1_000_000 + moved)) / 1_000_000_000_000n;
  }
}

/** The base price of a symbol: near one dollar where the token promises that, and anything for all others. */
function homeOf(symbol: string, chance: Chance): bigint {
  const milli = symbol.startsWith('USD') ? chance.between(985, 1_015) : chance.between(101, 2_999_999);
  return BigInt(milli) * 1_000_000_000_000_000n + BigInt(chance.between(1, 999_983));
}
