// orders.create-test: a test order of a demo; the demo's page asks the faucet to pay it.
import { isAppOn } from '@ducat/core/access/app-state';
import { findOwnApp, SWITCHED_OFF } from '../apps/own-app.ts';
import { answer, type Handler, refusal, refused, unknown } from '../call.ts';

export const handleTestOrder: Handler<'orders.create-test'> = async (
  call,
  { app_id: appId, request_id: requestId },
) => {
  const { deps } = call;
  const app = await findOwnApp(call, appId);
  if (app === null) return unknown('app');
  if (deps.faucetUrl === '') return refusal('conflict', 'only a demo pays its own orders');
  if (!isAppOn(app)) return refusal('conflict', SWITCHED_OFF);
  if (app.kind !== 'PAYMENT')
    return refusal('conflict', 'this app is for QR codes: orders need a payment app');
  const { transact } = deps;
  const apiCall = { app, name: `dashboard:${requestId}`, transact };
  const made = await deps.merchantApi.createTestOrder(apiCall, `test-${requestId.slice(0, 8)}`);
  if (!made.ok) return refused(made.refusal);
  const { tradeNo, currencyId, address, amount } = made.value;
  // The order was committed before. The audit log adds who asked for it.
  await transact((tx) => call.record(tx, { subject: tradeNo, detail: 'a test order' }));
  return answer({ trade_no: tradeNo, currency_id: currencyId, address, amount });
};
