// The accounts of the ledger: whose money it is, or where it is held.

/**
 * - `custody`: what a chain holds for us; owner is the chain's name, which stands for all deposit addresses together, or
 *   chain and wallet such as `ETH/0x12…`. Carried negative, so that all accounts of a currency sum to zero.
 * - `cold`: what cold storage holds, whose keys are not ours; owner is chain and address. Carried negative as custody is.
 *   A positive balance means that more came back than was sent: the difference was the operator's own.
 * - `suspense`: what left our addresses without a transaction of ours, until a person has explained it; owner is the chain.
 *   Carried negative as custody is.
 * - `sent`: what left our addresses as an outgoing transaction promised, until its subject has booked it; owner is the
 *   chain. Carried negative as custody is.
 * - `network-fee`: what our own transactions cost; owner is `gateway`. Carried negative as custody is.
 * - `available`: what a merchant's app may dispose of; owner is the app.
 * - `frozen`: what belongs to an app but is bound, such as by a payout on its way; owner is the app.
 * - `unassigned`: money that reached an address of ours without an order it could count for; owner is the app, or
 *   `gateway` where it reached a wallet of the gateway itself.
 * - `receivable`: what an app owes after a reversal that took more than the app had; owner is the app. Carried negative as
 *   custody is.
 * - `fee`: what the gateway earned; owner is `gateway`.
 * - `network-charge`: what merchants were charged for network fees; owner is `gateway`.
 */
export const accountKinds = [
  'custody',
  'cold',
  'suspense',
  'sent',
  'network-fee',
  'available',
  'frozen',
  'unassigned',
  'receivable',
  'fee',
  'network-charge',
] as const;

export type AccountKind = (typeof accountKinds)[number];

export interface Account {
  readonly kind: AccountKind;
  readonly owner: string;
}

/** The owner of what belongs to no app. */
const GATEWAY = 'gateway';

/** What an address of ours is for: one order, every payer of one code, or money that is collected and paid out. */
export const addressPurposes = ['order', 'static', 'wallet'] as const;

export type AddressPurpose = (typeof addressPurposes)[number];

/** An address of ours as the ledger sees it. */
export interface OwnAddress {
  readonly address: string;
  readonly purpose: AddressPurpose;
  /** Null for a wallet of the gateway itself. */
  readonly appId: string | null;
}

/** The custody account of all deposit addresses of a chain together, or of the wallet with this address. */
export function custodyOf(chain: string, wallet?: string): Account {
  return { kind: 'custody', owner: wallet === undefined ? chain : `${chain}/${wallet}` };
}

/** The custody account in which the ledger keeps what this address holds. */
export function custodyAt(chain: string, { purpose, address }: OwnAddress): Account {
  return custodyOf(chain, purpose === 'wallet' ? address : undefined);
}

export function coldOf(chain: string, address: string): Account {
  return { kind: 'cold', owner: `${chain}/${address}` };
}

export function suspenseOf(chain: string): Account {
  return { kind: 'suspense', owner: chain };
}

export function sentOf(chain: string): Account {
  return { kind: 'sent', owner: chain };
}

export function availableOf(appId: string): Account {
  return { kind: 'available', owner: appId };
}

export function frozenOf(appId: string): Account {
  return { kind: 'frozen', owner: appId };
}

/** `appId` is null for the gateway itself. */
export function unassignedOf(appId: string | null): Account {
  return { kind: 'unassigned', owner: appId ?? GATEWAY };
}

export function receivableOf(appId: string): Account {
  return { kind: 'receivable', owner: appId };
}

export const feeAccount: Account = { kind: 'fee', owner: GATEWAY };

export const networkChargeAccount: Account = { kind: 'network-charge', owner: GATEWAY };

export const networkFeeAccount: Account = { kind: 'network-fee', owner: GATEWAY };
