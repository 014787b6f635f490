// An order as a row, on the home page and in the list.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../api/currencies.ts';
import type { Column } from '../../parts/data/table.tsx';
import { Money } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import { fiatDigits } from '../../format/amounts.ts';
import { words } from '../../words/words.ts';
import { amountColumn } from '../amount-column.tsx';
import { TestBadge } from '../test-badge.tsx';
import { OrderBadge } from './order-badge.tsx';
import { WebhookMark } from './webhook-mark.tsx';
import styles from './orders.module.css';

export type OrderRow = ResponseOf<'orders.list'>['orders'][number];

export function orderColumns(
  currencies: Currencies,
  testApps: ReadonlySet<string>,
): readonly Column<OrderRow>[] {
  const { orders: text } = words;
  return [
    {
      key: 'order',
      head: text.order,
      name: true,
      cell: ({ out_trade_no: own, app_id: appId }) => (
        <>
          <bdi className={styles['own']}>{own}</bdi> {testApps.has(appId) && <TestBadge />}
        </>
      ),
    },
    amountColumn(currencies),
    {
      key: 'fiat',
      head: text.price,
      end: true,
      phone: 'out',
      cell: ({ fiat }) =>
        fiat !== null && <Money amount={fiatDigits(fiat.amount, fiat.name)} symbol={fiat.name} />,
    },
    {
      key: 'network',
      head: text.network,
      phone: 'out',
      cell: ({ currency_id: id }) => <span className={styles['faint']}>{currencies.find(id)?.network}</span>,
    },
    {
      key: 'time',
      head: text.time,
      phone: 'minor',
      cell: ({ create_time: at }) => (
        <span className={styles['faint']}>
          <Time at={at} />
        </span>
      ),
    },
    {
      key: 'state',
      head: text.state,
      phone: 'end',
      cell: ({ status, collected, is_paid_in_full: isPaidInFull }) => (
        <OrderBadge {...{ status, collected, isPaidInFull }} />
      ),
    },
    {
      key: 'webhook',
      head: text.webhook,
      phone: 'out',
      cell: ({ webhook }) => webhook !== null && <WebhookMark {...webhook} />,
    },
  ];
}
