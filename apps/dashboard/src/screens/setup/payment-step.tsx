// The first payment: in a demo the page places an order and has the faucet pay it, and it turns green as it becomes final.
import { useState } from 'react';
import { payByFaucet } from '../../api/faucet.ts';
import { useCurrencies } from '../../api/currencies.ts';
import { useLiveAnswer } from '../../api/live.ts';
import { newRequestId, useAct } from '../../api/queries.ts';
import { type Membership, useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Notice } from '../../parts/notice.tsx';
import { words } from '../../words/words.ts';
import { OrderBadge } from '../orders/order-badge.tsx';
import { OrderTimeline } from '../orders/order-timeline.tsx';
import type { FirstApp } from './app-step.tsx';
import styles from './setup.module.css';
import { Step } from './step.tsx';

interface PaymentStepProps {
  readonly merchant: Membership | null;
  readonly app: FirstApp | null;
  /** "" where this is no demo. */
  readonly faucetUrl: string;
  readonly isPaid: boolean;
}

export function PaymentStep({ merchant, app, faucetUrl, isPaid }: PaymentStepProps) {
  const { setup: text } = words;
  const isLater = merchant === null || app === null;
  return (
    <Step number={5} title={text.payment} isDone={isPaid} isLater={isLater && !isPaid}>
      {isPaid && <Notice tone="paid">{text.paid}</Notice>}
      {!isLater && faucetUrl !== '' && (
        <TestPayment merchantId={merchant.merchant_id} appId={app.app_id} {...{ faucetUrl, isPaid }} />
      )}
      {faucetUrl === '' && !isPaid && <RealPayment />}
    </Step>
  );
}

function RealPayment() {
  const { setup: text } = words;
  const { data: session } = useSession();
  return (
    <>
      <p>{text.paymentReal}</p>
      {session !== undefined && (
        <a href={`${session.docs_url}/integrate/going-live`} target="_blank" rel="noreferrer">
          {text.goingLive}
        </a>
      )}
    </>
  );
}

interface TestPaymentProps extends Pick<PaymentStepProps, 'faucetUrl' | 'isPaid'> {
  readonly merchantId: string;
  readonly appId: string;
}

function TestPayment({ merchantId, appId, faucetUrl, isPaid }: TestPaymentProps) {
  const { setup: text } = words;
  const [hasFailed, setFailed] = useState(false);
  const act = useAct('orders.create-test', ({ currency_id, address, amount }) => {
    setFailed(false);
    payByFaucet(faucetUrl, { currency_id, to: address, amount }).catch(() => setFailed(true));
  });
  const place = () => act.mutate({ merchant_id: merchantId, app_id: appId, request_id: newRequestId() });
  return (
    <>
      {hasFailed && (
        <Notice tone="error" live>
          {text.unpaid}
        </Notice>
      )}
      {act.data !== undefined && <LiveOrder merchantId={merchantId} tradeNo={act.data.trade_no} />}
      {!isPaid && (act.data === undefined || hasFailed) && (
        <>
          <p>{text.paymentDemo}</p>
          <div className={styles['actions']}>
            <Button tone="primary" busy={act.isPending} onClick={place}>
              {text.pay}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function LiveOrder({ merchantId, tradeNo }: { readonly merchantId: string; readonly tradeNo: string }) {
  const currencies = useCurrencies();
  const query = useLiveAnswer('orders.read', { merchant_id: merchantId, trade_no: tradeNo });
  return (
    <Answer query={query} skeleton={<Bone width="100%" height={120} />}>
      {({ order, timeline }) => (
        <>
          <OrderBadge
            status={order.status}
            collected={order.collected}
            isPaidInFull={order.is_paid_in_full}
          />
          <OrderTimeline timeline={timeline} currencies={currencies} />
        </>
      )}
    </Answer>
  );
}
