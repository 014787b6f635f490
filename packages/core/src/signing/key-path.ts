// Which key of ours: the place of an address below the seed.

/**
 * - `deposit`: addresses of orders and static addresses, BIP-44's external branch 0.
 * - `wallet`: what collects and pays, BIP-44's internal branch 1, which no payer is ever shown.
 */
export type KeyBranch = 'deposit' | 'wallet';

/** The key m/44'/<coin of the family>'/account'/<0 or 1>/index. */
export interface KeyPath {
  /** The app's number, 0 ≤ account < 2^31; `GATEWAY_ACCOUNT` for wallets of the gateway itself. */
  readonly account: number;
  readonly branch: KeyBranch;
  /** 0 ≤ index < 2^31 */
  readonly index: number;
}

/** The account of what belongs to no app. The sequence of apps begins at 0 and never gets here. */
export const GATEWAY_ACCOUNT = 2 ** 31 - 1;

const branchNumbers: Readonly<Record<KeyBranch, number>> = { deposit: 0, wallet: 1 };

/** The number of the branch in the path. */
export function branchNumber(branch: KeyBranch): number {
  return branchNumbers[branch];
}

/** The index of the one wallet of each app, and of the gateway itself. */
export const WALLET_INDEX = 0;

/** The key of an app's wallet, or with `GATEWAY_ACCOUNT` of the gateway's own, which pays for gas. */
export function walletPath(account: number): KeyPath {
  return { account, branch: 'wallet', index: WALLET_INDEX };
}
