// Translates Ducat's own values into the words of the contract, and is the only place that does so.
import type { RefusalCode as WireCode } from '@ducat/contract/codes';
import type { DataOf } from '@ducat/contract/endpoints/registry';
import {
  type ChainDefinition,
  type ChainFamily,
  confirmationsOf,
  nativeCurrency,
  wireChainId,
} from '@ducat/core/chain/chain';
import { isNativeCurrency } from '@ducat/core/chain/currency';
import { formatAmount } from '@ducat/core/money/decimal';
import type { RefusalCode } from '@ducat/core/refusal';
import type { AddressScheme } from '../../chains/port/address-scheme.ts';
import type { OrderDetail } from '../../db/tables/orders/orders.ts';
import type { Listing } from './catalogue.ts';
import { logoUrl } from './logos/mount-logos.ts';

/** The wire's number for every business "no". */
export const wireCodes: Readonly<Record<RefusalCode, WireCode>> = {
  'field-invalid': 10003,
  'order-conflict': 10003,
  'order-limit': 10002,
  'qr-code-conflict': 10003,
  'currency-unknown': 10003,
  'currency-off': 20003,
  starting: 10002,
  'order-unknown': 10004,
  'rate-unavailable': 10002,
  'payout-unknown': 10004,
  'payout-conflict': 10003,
  'payout-limit': 10002,
  'balance-short': 10002,
  'fee-unavailable': 10002,
  'chain-halted': 10002,
  'code-locked': 20009,
};

/** What the translation needs beside the value itself. */
export interface Presenting {
  readonly addressSchemes: Readonly<Record<ChainFamily, AddressScheme>>;
  readonly checkoutUrl: string;
  /** Where merchants and payers reach this gateway's own files, such as logos. */
  readonly publicUrl: string;
}

/**
 * The answer of order/create. It has no field that changes with the order: a replay gives the same bytes, whatever was paid
 * in between (decision A5). A new configuration does show, in need_confirms, entrust_url, chain_info and logo: the old
 * values would send payers to a page that is gone.
 */
export function presentCreated(
  order: OrderDetail,
  listing: Listing,
  how: Presenting,
): DataOf<'create-order'> {
  const { chain, currency } = listing;
  return {
    trade_no: order.tradeNo,
    chain: chain.name,
    token: currency.symbol,
    contract: presentContract(listing, how),
    amount: formatAmount(order.due, currency),
    mode: order.mode,
    pay_address: how.addressSchemes[chain.family].display(order.address),
    time_expire: order.timeExpire,
    decimal: currency.decimals,
    chain_id: wireChainId(chain),
    equity: 0,
    create_time: order.createTime,
    amount_collected: '0',
    need_confirms: chain.confirmations,
    already_confirms: 0,
    entrust_url: pageOf(order, how),
    chain_info: presentChainInfo(listing, how),
  };
}

/** The answer of order/detail; `head` is the newest accepted block of the chain. */
export function presentDetail(
  order: OrderDetail,
  listing: Listing,
  head: number | null,
  how: Presenting,
): DataOf<'order-detail'> {
  const { out_trade_no, fiat_name, fiat_amount, status, redirect_url } = onlyInDetail(order);
  const created = presentCreated(order, listing, how);
  return {
    trade_no: created.trade_no,
    out_trade_no,
    chain: created.chain,
    token: created.token,
    contract: created.contract,
    fiat_name,
    fiat_amount,
    amount: created.amount,
    mode: created.mode,
    pay_address: created.pay_address,
    status,
    time_expire: created.time_expire,
    decimal: created.decimal,
    chain_id: created.chain_id,
    equity: created.equity,
    create_time: created.create_time,
    amount_collected: formatAmount(order.collected, listing.currency),
    need_confirms: created.need_confirms,
    already_confirms: confirmationsSoFar(order, listing.chain, head),
    entrust_url: order.status === 'TO-BE-PAID' ? created.entrust_url : '',
    redirect_url,
    chain_info: created.chain_info,
  };
}

/** The fields that both token lists have. */
export function presentToken(listing: Listing, how: Presenting): DataOf<'token-list'>[number] {
  const { chain, currency } = listing;
  return {
    currency_id: currency.currencyId,
    chain: chain.name,
    network: chain.network,
    token: currency.symbol,
    contract: presentContract(listing, how),
    chain_id: wireChainId(chain),
    logo: logoUrl(how.publicUrl, currency.currencyId),
    decimal: currency.decimals,
  };
}

function onlyInDetail(order: OrderDetail) {
  return {
    out_trade_no: order.outTradeNo,
    fiat_name: fiatNameOf(order),
    fiat_amount: order.fiatAmount ?? '',
    status: order.status,
    redirect_url: order.redirectUrl ?? '',
  };
}

function fiatNameOf(order: OrderDetail): DataOf<'order-detail'>['fiat_name'] {
  // The cast restates what the request schema checked when the order was made: it is one of the 23 names.
  return (order.fiatName ?? '') as DataOf<'order-detail'>['fiat_name'];
}

/** A token's contract in the form shown to people; a native currency's symbol. */
function presentContract({ chain, currency }: Listing, how: Presenting): string {
  return currency.contract === null
    ? currency.symbol
    : how.addressSchemes[chain.family].display(currency.contract);
}

/** Where the payment page of an order is; "" where there is none. */
export function pageOf(order: Pick<OrderDetail, 'tradeNo'>, how: Pick<Presenting, 'checkoutUrl'>): string {
  return how.checkoutUrl === '' ? '' : `${how.checkoutUrl}/${order.tradeNo}`;
}

/** The newest transfer in time decides, until the order is paid: later transfers take nothing back (decision B20). */
function confirmationsSoFar(order: OrderDetail, chain: ChainDefinition, head: number | null): number {
  if (order.status === 'PAID') return chain.confirmations;
  if (head === null || order.newestBlock === null) return 0;
  return confirmationsOf(chain, head, order.newestBlock);
}

/** JSON text of the token transfer function, for payment pages that build the transaction themselves. */
const TRANSFER_ABI = JSON.stringify([
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
]);

function presentChainInfo(
  { chain, currency }: Listing,
  how: Presenting,
): DataOf<'create-order'>['chain_info'] {
  const native = nativeCurrency(chain);
  return {
    token: native.symbol,
    abi: isNativeCurrency(currency) ? '' : TRANSFER_ABI,
    rpc: chain.publicRpcUrl,
    browser_url: chain.explorerUrl,
    decimal: native.decimals,
    logo: logoUrl(how.publicUrl, native.currencyId),
    series: chain.series,
    monitor_chain_id: chain.monitorChainId,
  };
}
