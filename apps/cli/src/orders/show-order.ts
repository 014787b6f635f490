// An order as the terminal shows it.
import type { OrderDetailData } from '@ducat/sdk';
import { columns, harmless, type Palette } from '../terminal.ts';

/** Several lines; times in the zone of the machine. */
export function orderText(order: OrderDetailData, { bold, green, red, yellow }: Palette): string {
  const paint = order.status === 'PAID' ? green : order.status === 'TIME-OUT' ? red : yellow;
  const fiat = order.fiat_amount === '' ? '' : ` (${order.fiat_amount} ${order.fiat_name})`;
  const rows = columns(
    [
      ['trade_no', order.trade_no],
      ['out_trade_no', harmless(order.out_trade_no)],
      ['to pay', `${order.amount} ${order.token}${fiat}`],
      ['on', chainText(order)],
      ['to address', order.pay_address],
      ['collected', `${order.amount_collected || '0'} ${order.token}`],
      ['confirmations', `${order.already_confirms} of ${order.need_confirms}`],
      ['expires', localTime(order.time_expire)],
      ['page', order.entrust_url],
    ],
    '  ',
  );
  return [`${bold('Order')} ${paint(order.status)}`, ...rows].join('\n');
}

/** A chain by name, with its id where it has one. Only EVM chains have an id on the wire. */
export function chainText({ chain, chain_id }: Pick<OrderDetailData, 'chain' | 'chain_id'>): string {
  return chain_id === 0 ? chain : `${chain}, chain id ${chain_id}`;
}

/** Unix seconds as a local date and time with its zone. */
export function localTime(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  return date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}
