// The dependencies that the composition root gives the pages.
import type { CheckoutState, PageOffer } from '@ducat/contract/checkout-view';
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { AddressScheme } from '../../chains/port/address-scheme.ts';
import type { Amount } from '@ducat/core/money/amount';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { BucketSize } from '../../http/rate-limit.ts';
import type { StreamLimits } from '../../http/stream-places.ts';
import type { RateSource } from '../../rates/port.ts';
import type { World } from '../../runtime/world.ts';

export interface PageListing {
  readonly chain: ChainDefinition;
  readonly currency: Currency;
}

/** The chains and currencies that the pages look into. */
export interface PageCatalogue {
  find(currencyId: number): PageListing | null;
  ofTrade(order: { readonly tradeNo: string; readonly currencyId: number }): PageListing;
  isOn(currencyId: number): boolean;
  listed(): readonly PageListing[];
}

/** The content of a page: the state of its order and everything else that the page needs. */
export interface PageContent extends CheckoutState {
  readonly offers: readonly PageOffer[];
  /** Where all addresses of this page begin, such as "/pay". */
  readonly base: string;
  /** Why the last choice was refused; "" where none was. */
  readonly refused: string;
  /** The currency that this browser chose last; 0 for none. */
  readonly lastUsed: number;
  /** Whether the payer asks to choose again. */
  readonly isChanging: boolean;
  readonly accent: string | null;
  /** The faucet that the sandbox panel pays from; "" where there is no panel. */
  readonly faucet: string;
  /** The origins that may show the page in a frame. */
  readonly frameOrigins: readonly string[];
  /** The nonce of the scripts that may run. */
  readonly nonce: string;
  /** The language that the payer asked for by a link, and what the browser prefers. */
  readonly language: string;
  readonly acceptLanguage: string;
}

/** Makes HTML: the app of the page, on the server. */
export interface PageRenderer {
  page(content: PageContent): string;
  /** The plain page for an order that is not there, or for trouble on our side. */
  notice(kind: 'unknown' | 'trouble', how: Pick<PageContent, 'base' | 'language' | 'acceptLanguage'>): string;
  /** The folder of the built scripts, styles and fonts. */
  readonly assetsFolder: string;
}

export interface PagesLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface PagesDeps {
  readonly reader: Reader;
  readonly transact: Transact;
  readonly world: World;
  readonly catalogue: PageCatalogue;
  readonly rates: RateSource;
  /** What a plain transfer of this currency costs its sender now, in the chain's own coin. Throws Outage. */
  estimateFee(listing: PageListing): Promise<Amount | null>;
  readonly addressSchemes: Readonly<Record<ChainFamily, AddressScheme>>;
  readonly renderer: PageRenderer;
  readonly logger: PagesLogger;
  readonly limits: PagesLimits;
  /** Where payers reach the pages, without a slash at the end; its path is where they are mounted. */
  readonly checkoutUrl: string;
  readonly demo: boolean;
  /** The faucet that the pages of the demo and of test apps pay from; null for none. */
  readonly faucetUrl: string | null;
  fillPool(appId: string, family: ChainFamily): Promise<void>;
  /** The logo of a currency as SVG; null for a currency that never existed. */
  logo(currencyId: number): string | null;
  /** Called for each broken assertion; it ends its request alone. */
  onBug(error: Error): void;
}

export interface PagesLimits extends StreamLimits {
  /** Requests from one network address. */
  readonly perAddress: BucketSize;
  /** Choices from one network address. */
  readonly choices: BucketSize;
  readonly maxConnections: number;
  /** Connections from one network address; not enforced where proxies are trusted. */
  readonly maxConnectionsPerAddress: number;
  readonly trustedProxies: readonly string[];
}

export const defaultPagesLimits: PagesLimits = {
  perAddress: { perSecond: 50, burst: 500 },
  choices: { perSecond: 1, burst: 20 },
  maxConnections: 20_000,
  maxConnectionsPerAddress: 512,
  maxStreamsPerAddress: 256,
  maxStreamsPerSubject: 32,
  trustedProxies: [],
};
