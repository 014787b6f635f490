// The port through which the API asks what a transfer would cost the gateway now.
import type { Currency } from '@ducat/core/chain/currency';
import type { Amount } from '@ducat/core/money/amount';

export interface NetworkFees {
  /** Throws `Outage` where no node answers. */
  estimate(transfer: WantedTransfer): Promise<FeeEstimate>;
}

export interface WantedTransfer {
  /** Whose money it is. */
  readonly appId: string;
  /** Canonical text. */
  readonly to: string;
  readonly currency: Currency;
  readonly amount: Amount;
}

export interface FeeFigures {
  readonly expected: Amount;
  readonly most: Amount;
}

export type FeeEstimate =
  /**
   * The network fee at the prices of now, and the most that the terms of now allow, in the native currency. `unaided` is the
   * same without energy and bandwidth of the wallet, where a family has such.
   */
  | (FeeFigures & { readonly outcome: 'possible'; readonly unaided?: FeeFigures })
  /** The chain would not execute it, or it burns more than any plain transfer does; `text` is for the operator. */
  | { readonly outcome: 'impossible'; readonly reason: 'reverts' | 'too-dear'; readonly text: string };
