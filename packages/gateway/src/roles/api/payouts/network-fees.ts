// The port through which the API asks what a transfer would cost the gateway now.
import type { Currency } from '@ducat/core/chain/currency';
import type { Amount } from '@ducat/core/money/amount';

export interface NetworkFees {
  /** Throws `Outage` where no node answers. */
  estimate(transfer: WantedTransfer): Promise<FeeEstimate>;
}

export interface WantedTransfer {
  /** The app whose money it is. */
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
   * The network fee at current prices, and the most that the current terms allow, in the native currency. `unaided` is the
   * same without the wallet's energy and bandwidth, where the chain's family has such.
   */
  | (FeeFigures & { readonly outcome: 'possible'; readonly unaided?: FeeFigures })
  /** The chain would not execute the transfer, or it burns more than any plain transfer; `text` is for the operator. */
  | { readonly outcome: 'impossible'; readonly reason: 'reverts' | 'too-dear'; readonly text: string };
