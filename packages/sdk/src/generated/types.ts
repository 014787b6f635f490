// The types of requests, answers and webhook bodies.
// Generated from the contract by generate/generate.mjs; do not edit.

/** Request of /api/order/create. */
export interface CreateOrderRequest {
  /** Merchant order ID, unique per app for ever. It makes the call idempotent: the same content again answers the same order, other content is refused with 10003. Content is the text of the fields: "10" and "10.0" are other content. */
  out_trade_no: string;
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Fiat currency of fiat_amount; required with fiat_amount. */
  fiat_name?:
    | 'USD'
    | 'USDT'
    | 'JPY'
    | 'CHF'
    | 'CAD'
    | 'NOK'
    | 'SEK'
    | 'HKD'
    | 'SGD'
    | 'KRW'
    | 'TWD'
    | 'CNY'
    | 'INR'
    | 'BRL'
    | 'MXN'
    | 'ZAR'
    | 'RUB'
    | 'TRY'
    | 'EUR'
    | 'GBP'
    | 'AUD'
    | 'VND'
    | 'THB';
  /** Fiat amount with at most 8 decimals. It sets the price unless token_amount is sent too. */
  fiat_amount?: string;
  /** Token amount with at most the decimals of the token. When sent, it sets the amount and the fiat pair is kept as a label. */
  token_amount?: string;
  /** Webhook address of this order; default is the webhook address of the app. */
  callback_url?: string;
  /** Expiry as a ten-digit Unix timestamp in seconds, from 60 seconds to 30 days ahead. 0 or absent: 30 minutes from now. */
  time_out?: number;
  /** Address to send the payer to after a successful payment, http:// or https://. */
  redirect_url?: string;
}

/** Answer data of /api/order/create. */
export interface CreateOrderData {
  /** Platform transaction ID. */
  trade_no: string;
  /** Blockchain network name, such as ETH, BSC or WKC. */
  chain: string;
  /** Token symbol. */
  token: string;
  /** Token contract address; equals the token symbol for a main currency. */
  contract: string;
  /** Crypto amount to send, in whole tokens. */
  amount: string;
  /** Payment mode: NATIVE for order/create, HOSTED for the hosted page. */
  mode: 'NATIVE' | 'HOSTED';
  /** Recipient address. */
  pay_address: string;
  /** Unix timestamp in seconds at which the order expires. */
  time_expire: number;
  /** Token decimals. */
  decimal: number;
  /** Chain ID; 0 where the chain family has none. */
  chain_id: number;
  /** Equity value; always 0. */
  equity: number;
  /** Unix timestamp in seconds at which the order was created. */
  create_time: number;
  /** Final amount collected so far; may be empty in the create response. */
  amount_collected: string;
  /** Required confirmations. */
  need_confirms: number;
  /** Current confirmations. */
  already_confirms: number;
  /** Address of the payment page: {checkout_url}/<trade_no>. */
  entrust_url: string;
  /** Chain information. */
  chain_info: {
    /** Symbol of the chain's main currency. */
    token: string;
    /** JSON text of the token transfer function; empty for a main currency. */
    abi: string;
    /** Address of a public RPC node; empty when there is none to publish. */
    rpc: string;
    /** Address of a block explorer; empty when there is none. */
    browser_url: string;
    /** Decimals of the chain's main currency. */
    decimal: number;
    /** Address of the logo of the chain's main currency, an SVG image; empty where it has none. */
    logo: string;
    /** Chain family: ETH or TRON; may be empty. */
    series: string;
    /** The gateway's own number of the chain; may be 0. */
    monitor_chain_id: number;
  };
}

/** Request of /api/entrust/pre-create. */
export interface PreCreateRequest {
  /** Merchant order ID, unique per app for ever, over order/create and entrust/pre-create together. It makes the call idempotent: the same content again answers the same order, other content is refused with 10003. */
  out_trade_no: string;
  /** Fiat currency of fiat_amount; required with fiat_amount. */
  fiat_name?:
    | 'USD'
    | 'USDT'
    | 'JPY'
    | 'CHF'
    | 'CAD'
    | 'NOK'
    | 'SEK'
    | 'HKD'
    | 'SGD'
    | 'KRW'
    | 'TWD'
    | 'CNY'
    | 'INR'
    | 'BRL'
    | 'MXN'
    | 'ZAR'
    | 'RUB'
    | 'TRY'
    | 'EUR'
    | 'GBP'
    | 'AUD'
    | 'VND'
    | 'THB';
  /** Fiat amount with at most 8 decimals. It sets the price unless token_amount is sent too. */
  fiat_amount?: string;
  /** Token amount with at most the decimals of the token. When sent, it sets the amount and the fiat pair is kept as a label. */
  token_amount?: string;
  /** Webhook address of this order; default is the webhook address of the app. */
  callback_url?: string;
  /** Expiry as a ten-digit Unix timestamp in seconds, from 60 seconds to 30 days ahead. 0 or absent: 30 minutes from now. */
  time_out?: number;
  /** What the order is for, shown to the payer as text. */
  subject?: string;
  /** Globally unique currency ID, see token-list. */
  currency_id?: number;
  /**
   * What the payer may choose from; all currencies that are on for the app unless given. Not together with token_amount.
   *
   * Items: Globally unique currency ID, see token-list.
   */
  currency_ids?: number[];
  /** Address to send the payer to after a successful payment, http:// or https://. */
  redirect_url?: string;
}

/** Answer data of /api/entrust/pre-create. */
export interface PreCreateData {
  /** Platform transaction ID. */
  trade_no: string;
  /** Address of the payment page, {checkout_url}/<trade_no>: send the payer there. */
  entrust_url: string;
  /** Unix timestamp in seconds at which the order expires. */
  time_expire: number;
  /** The status at creation. A repeated call answers the same; order/detail has the current one. */
  status: 'TO-BE-PAID';
}

/** Request of /api/order/detail. */
export interface OrderDetailRequest {
  /** Platform transaction ID, as order/create answered it. */
  trade_no: string;
}

/** Answer data of /api/order/detail. */
export interface OrderDetailData {
  /** Platform transaction ID. */
  trade_no: string;
  /** Merchant order ID. */
  out_trade_no: string;
  /** Blockchain network name, such as ETH, BSC or WKC. */
  chain: string;
  /** Token symbol. */
  token: string;
  /** Token contract address; equals the token symbol for a main currency. */
  contract: string;
  /** Fiat currency name; empty when the order has none. */
  fiat_name:
    | 'USD'
    | 'USDT'
    | 'JPY'
    | 'CHF'
    | 'CAD'
    | 'NOK'
    | 'SEK'
    | 'HKD'
    | 'SGD'
    | 'KRW'
    | 'TWD'
    | 'CNY'
    | 'INR'
    | 'BRL'
    | 'MXN'
    | 'ZAR'
    | 'RUB'
    | 'TRY'
    | 'EUR'
    | 'GBP'
    | 'AUD'
    | 'VND'
    | 'THB'
    | '';
  /** Fiat amount to pay; empty when the order has none. */
  fiat_amount: string;
  /** Crypto amount to send, in whole tokens. */
  amount: string;
  /** Payment mode: NATIVE for order/create, HOSTED for the hosted page. */
  mode: 'NATIVE' | 'HOSTED';
  /** Recipient address. */
  pay_address: string;
  /** Transaction status. PAID and TIME-OUT are final. */
  status: 'TO-BE-PAID' | 'PAID' | 'TIME-OUT';
  /** Unix timestamp in seconds at which the order expires. */
  time_expire: number;
  /** Token decimals. */
  decimal: number;
  /** Chain ID; 0 where the chain family has none. */
  chain_id: number;
  /** Equity value; always 0. */
  equity: number;
  /** Unix timestamp in seconds at which the order was created. */
  create_time: number;
  /** Final amount collected so far; may be empty in the create response. */
  amount_collected: string;
  /** Required confirmations. */
  need_confirms: number;
  /** Current confirmations. */
  already_confirms: number;
  /** Address of the payment page; empty when not applicable. */
  entrust_url: string;
  /** Address for the payer after a successful payment; empty when none was given. */
  redirect_url: string;
  /** Chain information. */
  chain_info: {
    /** Symbol of the chain's main currency. */
    token: string;
    /** JSON text of the token transfer function; empty for a main currency. */
    abi: string;
    /** Address of a public RPC node; empty when there is none to publish. */
    rpc: string;
    /** Address of a block explorer; empty when there is none. */
    browser_url: string;
    /** Decimals of the chain's main currency. */
    decimal: number;
    /** Address of the logo of the chain's main currency, an SVG image; empty where it has none. */
    logo: string;
    /** Chain family: ETH or TRON; may be empty. */
    series: string;
    /** The gateway's own number of the chain; may be 0. */
    monitor_chain_id: number;
  };
}

/** Request of /api/order/exchange-rates. */
export interface ExchangeRatesRequest {
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Fiat currency name. */
  fiat_name:
    | 'USD'
    | 'USDT'
    | 'JPY'
    | 'CHF'
    | 'CAD'
    | 'NOK'
    | 'SEK'
    | 'HKD'
    | 'SGD'
    | 'KRW'
    | 'TWD'
    | 'CNY'
    | 'INR'
    | 'BRL'
    | 'MXN'
    | 'ZAR'
    | 'RUB'
    | 'TRY'
    | 'EUR'
    | 'GBP'
    | 'AUD'
    | 'VND'
    | 'THB';
  /** Fiat amount with at most 8 decimals. */
  fiat_amount: string;
}

/** Answer data of /api/order/exchange-rates. */
export interface ExchangeRatesData {
  /** Tokens for fiat_amount, rounded up as order/create would. */
  amount: string;
  /** Price of one token in the fiat currency. */
  exchange_rate: string;
}

/** One element of the answer of /api/currency/token-list. */
export interface TokenListElement {
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Chain, such as ETH, BSC or WKC. */
  chain: string;
  /** Network as people know it, such as ERC20, BEP20 or WKC20, for main currencies too. */
  network: string;
  /** Token symbol. */
  token: string;
  /** Contract address; equals the token symbol for a main currency. */
  contract: string;
  /** Chain ID; only the Ethereum series has a value, others have 0. */
  chain_id: number;
  /** Address of the currency's logo, an SVG image that this gateway serves; the same for ever. */
  logo: string;
  /** Precision of the token. */
  decimal: number;
}

/** One element of the answer of /api/currency/app-token-list. */
export interface AppTokenListElement {
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Chain, such as ETH, BSC or WKC. */
  chain: string;
  /** Network as people know it, such as ERC20, BEP20 or WKC20, for main currencies too. */
  network: string;
  /** Token symbol. */
  token: string;
  /** Contract address; equals the token symbol for a main currency. */
  contract: string;
  /** Chain ID; only the Ethereum series has a value, others have 0. */
  chain_id: number;
  /** Address of the currency's logo, an SVG image that this gateway serves; the same for ever. */
  logo: string;
  /** Precision of the token. */
  decimal: number;
  /** Total balance. */
  balance: string;
  /** Operable balance. */
  operable_balance: string;
  /** Frozen amount. */
  frozen_amount: string;
  /** 1 = enabled, 2 = disabled. */
  status: number;
  /** Receiving enabled; always true in this response. */
  transaction_enabled: boolean;
}

/** Request of /api/account/balance. */
export interface AccountBalanceRequest {
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
}

/** Answer data of /api/account/balance. */
export interface AccountBalanceData {
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Remaining quantity. */
  balance: string;
  /** Remaining quantity converted to USDT. */
  balance_usdt: string;
  /** Quantity that can be used now. */
  operable_balance: string;
  /** Operable quantity converted to USDT. */
  operable_balance_usdt: string;
  /** Chain, such as ETH, BSC or WKC. */
  chain: string;
  /** Network as people know it, such as ERC20, BEP20 or WKC20, for main currencies too. */
  network: string;
  /** Token symbol. */
  token: string;
  /** Contract address; equals the token symbol for a main currency. */
  contract: string;
}

/** Request of /api/payout/create. */
export interface CreatePayoutRequest {
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Amount in whole tokens, with at most the decimals of the token. */
  amount: string;
  /** The recipient's address on the chain of the currency. An address of mixed case must have its checksum. */
  to_address: string;
  /** Webhook address of this payout; default is the webhook address of the app. */
  callback_url?: string;
  /** One-time code; required where codes are switched on for the app. */
  otp_code?: string;
}

/** Answer data of /api/payout/create. */
export interface CreatePayoutData {
  /** What the payout costs: service charge and network fee, in the payout currency. */
  cost: string;
  /** What the recipient gets. */
  actual_receipt: string;
  /** Platform transaction ID. */
  trade_no: string;
  /** What leaves the balance, cost included. */
  estimated_transfer: string;
}

/** Request of /api/payout/detail. */
export interface PayoutDetailRequest {
  /** Platform transaction ID, as payout/create answered it. */
  trade_no: string;
}

/** Answer data of /api/payout/detail. */
export interface PayoutDetailData {
  /** Platform transaction ID. */
  trade_no: string;
  /** Service fee, in the payout currency. */
  service_charge: string;
  /** Network fee, in the payout currency, as it was quoted. */
  gas: string;
  /** Currency: the token symbol. */
  token: string;
  /** Amount, as it was asked for. */
  amount: string;
  /** Recipient address. */
  target_address: string;
  /** Unix timestamp in seconds at which the transaction was signed; 0 before. */
  start_time: number;
  /** Unix timestamp in seconds at which the payout was created. */
  created_time: number;
  /** Transaction status: PROGRESS is pending, CONFIRMING-PROGRESS is signed and on its way. PAID, FAIL and CANCEL are final; FAIL and CANCEL give everything back to the balance. */
  status: 'PROGRESS' | 'CONFIRMING-PROGRESS' | 'PAID' | 'FAIL' | 'CANCEL';
}

/** Request of /api/payment-qr-code/create. */
export interface CreateQrCodeRequest {
  /** QR code name, for you to tell it from others; payers do not see it. */
  name: string;
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Default payment amount in whole tokens, with at most the decimals of the token; "0", the default, where the payer chooses. It is kept with the code; a payment of any other amount counts as what it is. */
  amount?: string;
}

/** Answer data of /api/payment-qr-code/create. */
export interface CreateQrCodeData {
  /** Unique QR code ID. */
  id: number;
  /** Static payment address. It stays the same for good. */
  address: string;
}

/** Webhook body of type PAYMENT. */
export interface PaymentBody {
  /** Merchant AppId. */
  appid: string;
  /** Platform transaction ID. */
  trade_no: string;
  /** Merchant order ID. */
  out_trade_no: string;
  /** Tokens the payer has paid, final transfers only. */
  amount_collected: string;
  /** Fiat amount of the order as given; empty when it has none. */
  amount: string;
  /** Tokens the order asks for. */
  token_amount: string;
  /** Chain name, such as ETH, BSC or WKC. */
  chain: string;
  /** Chain ID; 0 where the chain family has none. */
  chain_id: number;
  /** Kind of the body. */
  type: 'PAYMENT';
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Hash of the transfer that caused the event; for a TIME-OUT of the newest transfer in amount_collected, empty when there was none. */
  txid: string;
  /** Transaction status; X-EventType carries the same value. */
  status: 'TO-BE-PAID' | 'PAID' | 'TIME-OUT';
  /** Block time of that transfer in Unix seconds; for a TIME-OUT the expiry of the order. */
  time: number;
  /** Address for the payer after a successful payment; empty when none was given. */
  redirect_url: string;
}

/** Webhook body of type TRANSFER. */
export interface TransferBody {
  /** Merchant AppId. */
  appid: string;
  /** Chain name, such as ETH, BSC or WKC. */
  chain: string;
  /** Chain ID; 0 where the chain family has none. */
  chain_id: number;
  /** Token contract address; the symbol, such as ETH, TRX or BNB, for a main currency. */
  contract: string;
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Transaction status; X-EventType carries the same value. */
  status: 'PAID' | 'FAIL';
  /** Block time of the transfer in Unix seconds; for a FAIL the time of the block that proves it. */
  time: number;
  /** Amount of the payout in tokens, as it was asked for. */
  token_amount: string;
  /** Platform transaction ID. */
  trade_no: string;
  /** Hash of the transaction on the chain; for a FAIL of the one that proves it. */
  txid: string;
  /** Kind of the body. */
  type: 'TRANSFER';
}

/** Webhook body of type QR_PAYMENT. */
export interface QrPaymentBody {
  /** AppId of the QR code application. */
  appid: string;
  /** Platform transaction ID of this payment; one transfer has one for ever. */
  trade_no: string;
  /** Kind of the body. */
  type: 'QR_PAYMENT';
  /** Chain name, such as ETH, BSC or WKC. */
  chain: string;
  /** Chain ID; 0 where the chain family has none. */
  chain_id: number;
  /** Token contract address; equals the token symbol for a main currency. */
  contract: string;
  /** Hash of the transaction. */
  txid: string;
  /** Globally unique currency ID, see token-list. */
  currency_id: number;
  /** Paying wallet address. */
  from_address: string;
  /** Receiving wallet address: that of the QR code. */
  to_address: string;
  /** Tokens that were paid. */
  token_amount: string;
  /** Transaction status; X-EventType carries the same value. */
  status: 'PAID';
  /** Block time of the transfer in Unix seconds. */
  time: number;
}
