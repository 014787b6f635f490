// Tron: account path m/44'/195'/n'.
import type { Scheme } from './scheme.ts';

/** The curve is Ethereum's, the coin type is Tron's own, so the two families never share a key. */
export const tron: Scheme = { coinType: 195 };
