// One order: its facts at the right, its story at the left, and what a person can do about it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { useState } from 'react';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useLiveAnswer } from '../../api/live.ts';
import { useAct } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { fiatDigits, isZero, trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton, Copyable } from '../../parts/copyable.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { Money } from '../../parts/money.tsx';
import { BackLink, Card, Fact, Facts, Page, Split } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { TestBadge, useTestApps } from '../test-badge.tsx';
import { Address } from '../address.tsx';
import { AcceptLateDialog } from './accept-late-dialog.tsx';
import { OrderBadge } from './order-badge.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import styles from './orders.module.css';
import { RefundDialog } from './refund-dialog.tsx';

type OrderAnswer = ResponseOf<'orders.read'>;

export function Order() {
  const { merchantId = '', tradeNo = '' } = useParams();
  const { order: text } = words;
  const currencies = useCurrencies();
  const query = useLiveAnswer('orders.read', { merchant_id: merchantId, trade_no: tradeNo });
  const order = query.data?.order;
  const testApps = useTestApps(merchantId);
  return (
    <Page
      title={`${text.title} ${order?.out_trade_no ?? tradeNo}`}
      heading={
        order === undefined ? (
          <h1>{text.title}</h1>
        ) : (
          <>
            <h1 className={styles['figure']}>
              <Money amount={trimZeros(order.amount, 2)} symbol={currencies.symbol(order.currency_id)} />
            </h1>
            <OrderBadge
              status={order.status}
              collected={order.collected}
              isPaidInFull={order.is_paid_in_full}
            />
            {testApps.has(order.app_id) && <TestBadge />}
          </>
        )
      }
      back={<BackLink to={`/m/${merchantId}/orders`}>{words.orders.title}</BackLink>}
      actions={query.data === undefined ? undefined : <OrderActions answer={query.data} />}
    >
      <Answer query={query} skeleton={<OrderSkeleton />}>
        {(answer) => (
          <Split>
            <Card title={text.timeline} bare>
              <OrderTimeline timeline={answer.timeline} currencies={currencies} />
            </Card>
            <OrderFacts order={answer.order} currencies={currencies} />
          </Split>
        )}
      </Answer>
    </Page>
  );
}

function OrderActions({ answer }: { readonly answer: OrderAnswer }) {
  const { order, timeline } = answer;
  const { merchantId = '' } = useParams();
  const { order: text } = words;
  const may = useMay(merchantId);
  const [isAccepting, setAccepting] = useState(false);
  const [isRefunding, setRefunding] = useState(false);
  const resend = useAct('webhooks.resend', ({ resent }) =>
    say(resent.length === 0 ? text.notResent : text.resent),
  );
  const events = timeline.flatMap((entry) => (entry.kind === 'webhook' ? [entry] : []));
  const event = events.at(-1);
  return (
    <>
      {order.can_accept && may('pay-out') && (
        <Button tone="primary" onClick={() => setAccepting(true)}>
          {text.accept}
        </Button>
      )}
      {event !== undefined && may('develop') && (
        <Button
          busy={resend.isPending}
          onClick={() =>
            resend.mutate(
              { merchant_id: merchantId, event_ids: [event.event_id] },
              { onError: (error) => say(refusalText(error)) },
            )
          }
        >
          {text.resend}
        </Button>
      )}
      {!isZero(order.refundable) && may('pay-out') && (
        <Button onClick={() => setRefunding(true)}>{words.refundOrder.open}</Button>
      )}
      {isRefunding && <RefundDialog answer={answer} onClose={() => setRefunding(false)} />}
      <AcceptLateDialog order={order} open={isAccepting} onClose={() => setAccepting(false)} />
    </>
  );
}

interface OrderFactsProps {
  readonly order: OrderAnswer['order'];
  readonly currencies: Currencies;
}

function OrderFacts({ order, currencies }: OrderFactsProps) {
  const { order: text } = words;
  const symbol = currencies.symbol(order.currency_id);
  return (
    <Card title={text.facts}>
      <Facts>
        <Fact name={text.yourNumber}>
          <Copyable text={order.out_trade_no} label={text.yourNumber} />
        </Fact>
        <Fact name={text.ourNumber}>
          <Copyable text={order.trade_no} label={text.ourNumber} />
        </Fact>
        <Fact name={text.got}>
          <Money amount={trimZeros(order.collected, 2)} symbol={symbol} />
        </Fact>
        {order.fiat !== null && (
          <Fact name={words.orders.price}>
            <Money amount={fiatDigits(order.fiat.amount, order.fiat.name)} symbol={order.fiat.name} />
          </Fact>
        )}
        <Fact name={words.orders.network}>{currencies.name(order.currency_id)}</Fact>
        {order.subject !== null && (
          <Fact name={text.subject}>
            <bdi>{order.subject}</bdi>
          </Fact>
        )}
        <Fact name={text.expires}>
          <Time at={order.time_expire} />
        </Fact>
        <Fact name={text.tolerance}>{`${order.tolerance_ppm / 10_000}%`}</Fact>
        <Fact name={text.address} stacked>
          <Address
            text={order.address}
            label={text.address}
            form="groups"
            currencies={currencies}
            currencyId={order.currency_id}
          />
        </Fact>
        {order.page_url !== null && (
          <Fact name={text.page} stacked>
            <a href={order.page_url} target="_blank" rel="noreferrer">
              {order.page_url}
            </a>{' '}
            <CopyButton text={order.page_url} label={text.page} />
          </Fact>
        )}
        {order.callback_url !== null && (
          <Fact name={text.webhookAddress} stacked>
            <Copyable text={order.callback_url} label={text.webhookAddress} />
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

function OrderSkeleton() {
  return (
    <Split>
      <Card title={words.order.timeline}>
        {[70, 50, 62, 45, 58].map((width) => (
          <Bone key={width} width={`${width}%`} height={20} />
        ))}
      </Card>
      <Card title={words.order.facts}>
        {[80, 90, 60, 70].map((width) => (
          <Bone key={width} width={`${width}%`} />
        ))}
      </Card>
    </Split>
  );
}
