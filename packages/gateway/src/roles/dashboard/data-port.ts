// The dependencies of the data handlers beside the database: the same ones that the API works with.
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import type { BlockStamp } from '@ducat/core/chain/transfer';
import type { Currency } from '@ducat/core/chain/currency';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import type { Amount } from '@ducat/core/money/amount';
import type { ShownCost } from '@ducat/core/payout/open-payout';
import type { Result } from '@ducat/core/result';
import type { AddressScheme } from '../../chains/port/address-scheme.ts';
import type { Transact } from '../../db/postgres/tx.ts';
import type { EventWriting } from '../../db/tables/deliveries/event-row.ts';
import type { App } from '../../db/tables/apps.ts';
import type { RefundOf } from '../../flows/payouts/refund-order.ts';
import type { AppKeys } from '../../keys/app-keys.ts';
import type { Approvers } from '../../keys/approvers.ts';
import type { RateSource } from '../../rates/port.ts';
import type { ChainAdditions } from './operator/additions-port.ts';

export interface DashboardListing {
  readonly chain: ChainDefinition;
  readonly currency: Currency;
}

/** The chains and currencies that the dashboard looks into. */
export interface DashboardCatalogue {
  find(currencyId: number): DashboardListing | null;
  isOn(currencyId: number): boolean;
  suspension(currencyId: number): string | null;
  /** Every chain that is known, on or off. */
  chains(): readonly { readonly definition: ChainDefinition; readonly on: boolean }[];
}

export interface DataDeps {
  readonly catalogue: DashboardCatalogue;
  readonly rates: RateSource;
  readonly addressSchemes: Readonly<Record<ChainFamily, AddressScheme>>;
  readonly appKeys: AppKeys;
  readonly approvers: Approvers;
  readonly events: Omit<EventWriting, 'nowMs'>;
  readonly merchantApi: MerchantApi;
  readonly additions: ChainAdditions;
  /** The stake of a chain by its name; null where none is configured, or no gas wallet is there yet. Throws Outage. */
  lookAtStake(chain: string): Promise<StakeLook | null>;
  /** Null where the chain is not configured, or none of its blocks is final yet. Throws Outage. */
  askNonce(chain: string, address: string): Promise<ReportedNonce | null>;
  /** Where merchants reach the API, and payers the payment page ("" where there is none); without a slash at the end. */
  readonly publicUrl: string;
  readonly checkoutUrl: string;
  /** The public key of an app's account in a family, from the signer. Throws Outage. */
  accountPublicKey(family: ChainFamily, account: number): Promise<string>;
  /** Whether webhooks may be sent to this IP address. */
  isCallableAddress(address: string): boolean;
}

/** The nonce of a sender at the newest final block, as a quorum of providers reports it. */
export interface ReportedNonce {
  readonly at: Pick<BlockStamp, 'number'>;
  /** The nonce of the account's next transaction after that block. */
  readonly reported: number;
}

/** Operations of the API, done for a person: the same checks and flows, in a transaction that the caller hands in. */
export interface MerchantApi {
  createPayout(call: ApiCall, request: PayoutWish): Promise<Result<{ readonly tradeNo: string }>>;
  /** What the payout would cost now. Makes no reservation. */
  quotePayout(app: App, request: PayoutWish): Promise<Result<QuotedPayout>>;
  /** The cost and the worth of a refund now, whatever the app's balance is. */
  priceRefund(app: App, refund: RefundWish): Promise<Result<PricedRefund>>;
  /** An order of one token, in USDT where that is on, else in another currency that is on. */
  createTestOrder(call: ApiCall, outTradeNo: string): Promise<Result<TestOrder>>;
  createQrCode(
    call: ApiCall,
    request: { readonly currency_id: number; readonly name: string; readonly amount: string },
  ): Promise<Result<{ readonly qrCodeId: number }>>;
}

export interface TestOrder {
  readonly tradeNo: string;
  readonly currencyId: number;
  readonly address: string;
  readonly amount: string;
}

export interface ApiCall {
  readonly app: App;
  /** The idempotency key of the call. */
  readonly name: string;
  /** Runs the transactions of the API, except those of orders. The dashboard adds its entry of the audit log in them. */
  readonly transact: Transact;
  /** The cost that the person saw and who bears it, where a cost was shown. */
  readonly shown?: ShownCost;
  /** The order that a payout sends back. */
  readonly refund?: RefundOf;
}

export interface PayoutWish {
  readonly currency_id: number;
  readonly amount: string;
  readonly to_address: string;
  readonly otp_code?: string;
}

export interface RefundWish {
  readonly amount: Amount;
  readonly to: string;
  readonly otp_code?: string | undefined;
}

export interface PricedRefund {
  readonly chain: ChainDefinition;
  readonly currency: Currency;
  /** Canonical. */
  readonly toAddress: string;
  /** The network fee in the currency of the amount. */
  readonly leastGas: Amount;
  /** In 10^-6 USD; null without a price. */
  readonly value: bigint | null;
  /** The time step of the one-time code: null where the code fits none, undefined where no code was given. */
  readonly codeStep: number | null | undefined;
  readonly networkFee: Amount;
  readonly feeCap: Amount;
}

export interface QuotedPayout {
  readonly currency: Currency;
  readonly chain: ChainDefinition;
  readonly amount: Amount;
  /** Canonical. */
  readonly to: string;
  readonly gas: Amount;
  readonly networkFee: Amount;
  readonly value: bigint | null;
}
