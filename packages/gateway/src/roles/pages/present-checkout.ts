// An order in the words of its payment page, and nothing of it that the page does not show.
import type { CheckoutView, PageCurrency, PageState, PageTransfer } from '@ducat/contract/checkout-view';
import { assert } from '@ducat/core/assert';
import { wireChainId } from '@ducat/core/chain/chain';
import { isNativeCurrency } from '@ducat/core/chain/currency';
import { formatAmount } from '@ducat/core/money/decimal';
import { decideChoice } from '@ducat/core/order/currency-choice';
import { type OrderTransfer, type PaymentState, progressOf } from '@ducat/core/order/payment-progress';
import type { CheckoutOrder } from '../../db/tables/orders/checkout-orders.ts';
import type { PageListing, PagesDeps } from './port.ts';

/** Characters that change the direction of text. With them, one name could look like another. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Longer names are cut. */
const MAX_NAME = 128;

type Presenting = Pick<PagesDeps, 'catalogue' | 'addressSchemes' | 'demo'>;

/** `proven` is the address of this order that an earlier call has derived; "" where there was none. */
export function presentCheckout(
  order: CheckoutOrder,
  now: number,
  deps: Presenting,
  proven = '',
): CheckoutView {
  const listing = deps.catalogue.ofTrade(order);
  const { chain, currency } = listing;
  const progress = progressOf({ order, transfers: order.transfers, currency, chain, head: order.head, now });
  const amount = (value: typeof order.due) => formatAmount(value, currency);
  return {
    trade_no: order.tradeNo,
    state: pageState(order, progress.state),
    merchant: plainName(order.appName),
    logo: order.page.logoDigest ?? '',
    subject: plainName(order.hosted?.subject ?? ''),
    order: plainName(order.outTradeNo),
    fiat: fiatOf(order),
    create_time: order.createTime,
    time_expire: order.timeExpire,
    currency: presentCurrency(listing, deps),
    amount: amount(order.due),
    got: amount(progress.got),
    missing: amount(progress.missing),
    extra: amount(progress.extra),
    address: addressOf(order, listing, deps, proven),
    confirmations: progress.confirmations,
    transfers: order.transfers.map((transfer) => presentTransfer(transfer, order, deps)),
    can_change: mayChange(order, now),
    redirect_url: order.redirectUrl ?? '',
    contact: order.page.contact ?? '',
    demo: deps.demo,
    is_test: order.page.isTest,
  };
}

export function presentCurrency(
  { chain, currency }: PageListing,
  { addressSchemes }: Pick<PagesDeps, 'addressSchemes'>,
): PageCurrency {
  return {
    currency_id: currency.currencyId,
    token: currency.symbol,
    chain: chain.name,
    network: chain.network,
    series: chain.series,
    chain_id: wireChainId(chain),
    contract:
      isNativeCurrency(currency) || currency.contract === null
        ? ''
        : addressSchemes[chain.family].display(currency.contract),
    decimals: currency.decimals,
    need_confirms: chain.confirmations,
    block_time_ms: chain.blockTimeMs,
  };
}

/** A payer who has not chosen yet is asked to, unless a transfer was seen already. */
function pageState(order: CheckoutOrder, state: PaymentState): PageState {
  const isOpen =
    state === 'waiting' && order.hosted !== null && !order.hosted.isChosen && !hasTransfers(order);
  return isOpen ? 'choose' : state;
}

/** An address is derived again from the app's public key before a page shows it the first time. */
function addressOf(
  order: CheckoutOrder,
  { chain }: PageListing,
  { addressSchemes }: Presenting,
  proven: string,
): string {
  const scheme = addressSchemes[chain.family];
  assert(
    order.address === proven || scheme.derive(order.accountPublicKey, order.addressIndex) === order.address,
    `the address of order ${order.tradeNo} does not come from its app's key`,
  );
  return scheme.display(order.address);
}

function mayChange(order: CheckoutOrder, now: number): boolean {
  if (order.hosted === null || order.hosted.offered?.length === 1) return false;
  const state = { order, offered: null, choices: 0, hasTransfers: hasTransfers(order) };
  return decideChoice(state, order.currencyId, now) === 'allowed';
}

/** Counts transfers in any currency, and those that a reorg took away: they may come back. */
function hasTransfers({ transfers }: CheckoutOrder): boolean {
  return transfers.length > 0;
}

function presentTransfer(transfer: OrderTransfer, order: CheckoutOrder, deps: Presenting): PageTransfer {
  const listing = deps.catalogue.find(transfer.amount.currencyId);
  const { explorerUrl = '' } = listing?.chain ?? {};
  return {
    txid: transfer.txId,
    amount: listing === null ? '' : formatAmount(transfer.amount, listing.currency),
    token: listing?.currency.symbol ?? '',
    network: listing?.chain.network ?? '',
    state: transfer.state,
    counts: transfer.amount.currencyId === order.currencyId,
    url: explorerUrl === '' ? '' : explorerPage(explorerUrl, listing?.chain.series ?? 'ETH', transfer.txId),
  };
}

function explorerPage(explorer: string, series: 'ETH' | 'TRON', txId: string): string {
  const base = explorer.replace(/\/+$/, '');
  return series === 'TRON' ? `${base}/#/transaction/${txId}` : `${base}/tx/${txId}`;
}

function fiatOf({ fiatName, fiatAmount }: CheckoutOrder): CheckoutView['fiat'] {
  return fiatName === null || fiatAmount === null ? null : { name: fiatName, amount: fiatAmount };
}

function plainName(text: string): string {
  return Array.from(text.replace(DIRECTIONS, '')).slice(0, MAX_NAME).join('');
}
