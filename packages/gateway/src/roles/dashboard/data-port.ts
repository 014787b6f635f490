// What the handlers of the dashboard's data are given beside the database: the same things that the API works with.
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
  /** Of an app's account in a family, as the signer gives it out. Throws Outage. */
  accountPublicKey(family: ChainFamily, account: number): Promise<string>;
  /** Whether webhooks may be sent to this IP address. */
  isCallableAddress(address: string): boolean;
}

/** How far a sender is, by a quorum of nodes at the newest final block. */
export interface ReportedNonce {
  readonly at: Pick<BlockStamp, 'number'>;
  /** Of the account's next transaction after that block. */
  readonly reported: number;
}

/** What the API does for an app, done for a person: the same checks and the same flows, in a transaction handed in. */
export interface MerchantApi {
  createPayout(call: ApiCall, request: PayoutWish): Promise<Result<{ readonly tradeNo: string }>>;
  /** What it would cost now; nothing is bound. */
  quotePayout(app: App, request: PayoutWish): Promise<Result<QuotedPayout>>;
  /** What sending an amount of the app there costs and is worth now, whatever its balance. */
  priceRefund(app: App, refund: RefundWish): Promise<Result<PricedRefund>>;
  /** Of one token, in whichever currency is on. */
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
  /** What names the call for ever. */
  readonly name: string;
  /** Runs what the API does, but for orders; the dashboard adds its entry of the audit log. */
  readonly transact: Transact;
  /** What a payout may cost and who bears it, where the person saw a cost. */
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
  /** The time step that the code fits, null where it fits none; undefined where none was given. */
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
