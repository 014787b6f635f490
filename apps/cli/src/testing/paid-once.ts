// That orders of the demo are paid and reported once, by its commands and by a shop that listens.
import assert from 'node:assert/strict';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { DemoAccess } from '../state/demo-record.ts';
import { listenForWebhooks } from '../webhooks/webhook-listener.ts';

interface Order {
  readonly status: string;
  readonly amount_collected: string;
}

/** Each of these orders is PAID, and one PAID webhook was written for it and delivered once. */
export async function expectPaidOnce(
  okJson: <T>(...args: readonly string[]) => Promise<T>,
  tradeNos: readonly string[],
): Promise<void> {
  const { app_id, app_key, listener_url } = await okJson<DemoAccess>('demo');
  const { port, pathname } = new URL(listener_url);
  const received: string[] = [];
  const shop = await listenForWebhooks({
    port: Number(port),
    path: pathname,
    appId: app_id,
    appKey: app_key,
    onReceived: ({ event: { body } }) => void received.push(`${body.trade_no} ${body.status}`),
    onRefused: (reason) => void received.push(reason),
  });
  try {
    const expected = tradeNos.map((tradeNo) => `${tradeNo} PAID`);
    const haveArrived = () => expected.every((one) => received.includes(one));
    await waitUntil('the webhooks', haveArrived, { timeoutMs: 120_000, everyMs: 200 });
    assert.deepEqual(received.filter((one) => expected.includes(one)).toSorted(), expected.toSorted());
  } finally {
    shop.close();
  }
  type Listed = { event: { status: string; state: string }; attempts: { outcome: string }[] };
  for (const tradeNo of tradeNos) {
    const order = await okJson<Order>('order', 'show', tradeNo);
    assert.deepEqual([order.status, order.amount_collected], ['PAID', '2.5']);
    const isSettled = async () => {
      const listed = await okJson<Listed[]>('webhooks', 'list', '--trade-no', tradeNo);
      return listed.every(({ event }) => event.state === 'delivered') && listed;
    };
    const listed = await waitUntil('the delivery to be recorded', isSettled, { everyMs: 1_000 });
    assert.deepEqual(
      listed.map(({ event }) => event.status),
      ['PAID'],
    );
    const delivered = listed
      .flatMap(({ attempts }) => attempts)
      .filter(({ outcome }) => outcome === 'delivered');
    assert.equal(delivered.length, 1);
  }
}
