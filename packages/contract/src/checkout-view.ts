// The public data of one order, as the gateway gives it to the payment page: nothing else is public.

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

/** A currency that the payer may choose. */
export interface PageOffer extends PageCurrency {
  /** Roughly the amount due in this currency now. */
  readonly amount: string;
  /** Roughly the network fee of the transfer, in the order's fiat currency; "" where the fee is not known. */
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
  /**
   * Whether the transfer is in the order's currency. A transfer in another currency is recorded, but never counted by
   * itself.
   */
  readonly counts: boolean;
  /** The explorer's page, "" where there is none. */
  readonly url: string;
}

/** Everything that the page shows, fixed and changing. Amounts are decimal strings. */
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
  /** Confirmations of the newest transfer that is not final; null where there is none. */
  readonly confirmations: number | null;
  readonly transfers: readonly PageTransfer[];
  /** Whether the payer may still choose another currency. */
  readonly can_change: boolean;
  /** Where the page sends the payer back to; "" for nowhere. */
  readonly redirect_url: string;
  /** Whom payers ask: an e-mail or web address, "" where the merchant named none. */
  readonly contact: string;
  /** Whether the coins are worthless, as in the local demo. */
  readonly demo: boolean;
  /** Whether the shop marks its app as a test. The coins are real coins of the network all the same. */
  readonly is_test: boolean;
}

/** The answer when the page opens, and each time it polls. */
export interface CheckoutState {
  /** The gateway's clock, in Unix seconds, because a phone's clock may be wrong. */
  readonly now: number;
  readonly view: CheckoutView;
}

/** Why a choice was refused. */
export type ChoiceRefusal = 'not-offered' | 'ended' | 'locked' | 'too-often' | 'no-rate' | 'off';
