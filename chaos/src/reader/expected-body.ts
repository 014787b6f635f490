// The expected body of a webhook, computed from the order and the chain by code of the reader's own.
import type { OrderRow } from './books.ts';
import type { ExpectedEvent } from './expected-orders.ts';

/** What is known of the order's currency and chain. */
export interface Measures {
  readonly decimals: number;
  /** The chain's number on the wire, 0 where its family has none. */
  readonly chainId: number;
}

/** Merchants of a run name no fiat amount and no address for the payer. */
export function expectBody(
  order: OrderRow,
  { status, collected, txId, time }: ExpectedEvent,
  { decimals, chainId }: Measures,
): Readonly<Record<string, string | number>> {
  return {
    appid: order.app_id,
    trade_no: order.trade_no,
    out_trade_no: order.out_trade_no,
    amount_collected: wholeTokens(collected, decimals),
    amount: '',
    token_amount: wholeTokens(BigInt(order.due), decimals),
    chain: order.chain,
    chain_id: chainId,
    type: 'PAYMENT',
    currency_id: order.currency_id,
    txid: txId,
    status,
    time,
    redirect_url: '',
  };
}

/** All fields with their types, whatever their order; a body that is no object comes back as it is. */
export function textOfBody(body: string): string {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== 'object' || parsed === null) return body;
  return JSON.stringify(Object.fromEntries(Object.entries(parsed).toSorted(byName)));
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => one.localeCompare(other);

/** The shortest text that means the same. */
function wholeTokens(units: bigint, decimals: number): string {
  const base = 10n ** BigInt(decimals);
  const part = String(units % base)
    .padStart(decimals, '0')
    .replace(/0*$/, '');
  return part === '' ? String(units / base) : `${units / base}.${part}`;
}
