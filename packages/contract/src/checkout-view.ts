// What the payment page of one order shows, as the gateway gives it to the page: nothing else is public.

/** One currency, as a payer knows it. */
export interface PageCurrency {
  readonly currency_id: number;
  readonly token: string;
  /** The chain's name. */
  readonly chain: string;
  /** The name people know, such as TRC20. */
  readonly network: string;
  readonly series: 'ETH' | 'TRON';
  /** 0 where the family has none. */
  readonly chain_id: number;
  /** As shown to people; "" for the chain's own coin. */
  readonly contract: string;
  readonly decimals: number;
  readonly need_confirms: number;
  readonly block_time_ms: number;
}

/** One that the payer may choose. */
export interface PageOffer extends PageCurrency {
  /** About what it would cost now. */
  readonly amount: string;
  /** About what the network takes for the transfer, in the order's fiat currency; "" where that is not known. */
  readonly fee: string;
}

export type PageState =
  | 'choose'
  | 'waiting'
  | 'seen'
  | 'part'
  | 'paid'
  | 'late'
  | 'short'
  | 'expired'
  | 'reorg';

export interface PageTransfer {
  readonly txid: string;
  readonly amount: string;
  readonly token: string;
  readonly network: string;
  readonly state: 'seen' | 'final' | 'orphaned';
  /** Whether it is in the order's currency; another one is recorded and never counted by itself. */
  readonly counts: boolean;
  /** The explorer's page, "" where there is none. */
  readonly url: string;
}

/** Everything that changes while the page is open, and everything that does not. Amounts are decimal strings. */
export interface CheckoutView {
  readonly trade_no: string;
  readonly state: PageState;
  readonly merchant: string;
  /** The SHA-256 digest of the merchant's logo, which is its name below `logo/`; "" for none. */
  readonly logo: string;
  readonly subject: string;
  /** The merchant's own number. */
  readonly order: string;
  readonly fiat: { readonly name: string; readonly amount: string } | null;
  readonly create_time: number;
  readonly time_expire: number;
  readonly currency: PageCurrency;
  readonly amount: string;
  readonly got: string;
  readonly missing: string;
  readonly extra: string;
  readonly address: string;
  /** Of the newest transfer that is not final; null where there is none. */
  readonly confirmations: number | null;
  readonly transfers: readonly PageTransfer[];
  /** Whether the payer may still choose another currency. */
  readonly can_change: boolean;
  /** Where the payer goes back to, "" for nowhere. */
  readonly redirect_url: string;
  /** Whom to ask: an e-mail or web address, "" where the merchant named none. */
  readonly contact: string;
  /** Whether the coins are without worth: the local demo. */
  readonly demo: boolean;
  /** Whether the shop marks its app as a test. The coins are those of the network all the same. */
  readonly is_test: boolean;
}

/** What the page is opened with, and what its polling gets. */
export interface CheckoutState {
  /** The gateway's clock, Unix seconds: that of a phone may be wrong. */
  readonly now: number;
  readonly view: CheckoutView;
}

/** Why a choice was refused. */
export type ChoiceRefusal = 'not-offered' | 'ended' | 'locked' | 'too-often' | 'no-rate' | 'off';
