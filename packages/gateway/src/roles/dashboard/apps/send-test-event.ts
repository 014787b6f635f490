// apps.send-test-event: a made-up payment in the outbox, signed and sent as every event is, with a number that is no order's.
import { payment } from '@ducat/contract/events/payment';
import { sendTestEvent } from '../../../flows/deliveries/send-test-event.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { seconds } from '../texts.ts';
import { findOwnApp } from './own-app.ts';

export const handleTestEvent: Handler<'apps.send-test-event'> = async (call, { app_id: appId }) => {
  const { deps, nowMs } = call;
  const app = await findOwnApp(call, appId);
  if (app === null) return unknown('app');
  const { callbackUrl: url } = app;
  if (url === null) return refusal('conflict', 'the app has no webhook address yet');
  const eventId = deps.events.newEventId();
  const tradeNo = eventId.replace(/^evt_/, 'test_');
  const time = seconds(nowMs);
  const body = JSON.stringify({
    ...payment.example,
    appid: appId,
    trade_no: tradeNo,
    out_trade_no: tradeNo,
    time,
    redirect_url: '',
  });
  await deps.transact(async (tx) => {
    await sendTestEvent(tx, { eventId, appId, tradeNo, body, url, nowMs });
    await call.record(tx, { subject: appId, detail: eventId });
  });
  return answer({ event_id: eventId });
};
