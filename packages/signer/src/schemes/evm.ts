// Ethereum and every chain that shares its addresses: account path m/44'/60'/n'.
import type { Scheme } from './scheme.ts';

/** One coin type for all EVM chains, so that one address of ours is ours on each of them. */
export const evm: Scheme = { coinType: 60 };
