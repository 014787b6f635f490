// What the page is drawn from, on the server and in the browser alike, and what a payer can do on it.
import type { CheckoutState, PageOffer } from '@ducat/contract/checkout-view';
import type { Words } from '../words/en.ts';

/** Written into the page by the server, read by the script. */
export interface PageData extends CheckoutState {
  readonly offers: readonly PageOffer[];
  readonly base: string;
  readonly refused: string;
  /** The currency that this browser chose last; 0 for none. */
  readonly lastUsed: number;
  /** The payer wants to choose again. */
  readonly isChanging: boolean;
  readonly language: string;
  readonly words: Words;
  readonly frameOrigins: readonly string[];
  /** The faucet of the sandbox panel; "" where there is no panel. */
  readonly faucet: string;
}

export interface WalletChoice {
  readonly id: string;
  readonly name: string;
  /** An image as a data address, "" for none. */
  readonly icon: string;
}

export interface PageModel extends PageData {
  /** False on the server and without scripts. Parts that need scripts are then hidden but keep their space. */
  readonly isLive: boolean;
  readonly isOffline: boolean;
  readonly isFramed: boolean;
  readonly wallets: readonly WalletChoice[];
  /** What a wallet answered last, in words; "" for nothing. */
  readonly note: string;
  /** Seconds until the page goes back to the shop; null while it does not. */
  readonly leavesIn: number | null;
  readonly timeZone: string | undefined;
}

export interface PageActions {
  choose(currencyId: number): Promise<void>;
  change(isChanging: boolean): void;
  pay(walletId: string): void;
  print(): void;
}

/** Null on the server. */
export type Actions = PageActions | null;
