// The accounts of the ledger: whose money it is, or where it lies.

/**
 * - `custody`: what a chain holds for us; owner is the chain's name. Carried negative, so that all accounts of a
 *   currency sum to zero.
 * - `available`: what a merchant's app may dispose of; owner is the app.
 * - `frozen`: what belongs to an app but is bound, such as by a payout on its way; owner is the app.
 * - `unassigned`: money that reached an app's address without an order it could count for; owner is the app.
 * - `fee`: what the gateway earned; owner is `gateway`.
 */
export const accountKinds = ['custody', 'available', 'frozen', 'unassigned', 'fee'] as const;

export type AccountKind = (typeof accountKinds)[number];

export interface Account {
  readonly kind: AccountKind;
  readonly owner: string;
}

export function custodyOf(chain: string): Account {
  return { kind: 'custody', owner: chain };
}

export function availableOf(appId: string): Account {
  return { kind: 'available', owner: appId };
}

export function unassignedOf(appId: string): Account {
  return { kind: 'unassigned', owner: appId };
}

export const feeAccount: Account = { kind: 'fee', owner: 'gateway' };
