// Every address of the dashboard. Screens load with the first visit; filters of lists live in the address.
import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject, useRouteError } from 'react-router';
import { usePerson } from './api/session.ts';
import { Failure } from './parts/data/failure.tsx';
import { Gate } from './shell/gate.tsx';
import { NotFound } from './shell/not-found.tsx';

function screen(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }) };
}

/** Behind /m/<merchant>. */
const merchantScreens = [
  screen('', () => import('./screens/home/home.tsx').then((file) => file.Home)),
  screen('orders', () => import('./screens/orders/orders.tsx').then((file) => file.Orders)),
  screen('orders/:tradeNo', () => import('./screens/orders/order.tsx').then((file) => file.Order)),
  screen('payouts', () => import('./screens/payouts/payouts.tsx').then((file) => file.Payouts)),
  screen('payouts/new', () => import('./screens/payouts/new/new-payout.tsx').then((file) => file.NewPayout)),
  screen('payouts/batch', () =>
    import('./screens/payouts/payout-batch.tsx').then((file) => file.PayoutBatch),
  ),
  screen('payouts/:tradeNo', () => import('./screens/payouts/payout.tsx').then((file) => file.Payout)),
  screen('receipts', () => import('./screens/receipts/receipts.tsx').then((file) => file.Receipts)),
  screen('qr-codes', () => import('./screens/qr-codes/qr-codes.tsx').then((file) => file.QrCodes)),
  screen('qr-codes/:qrCodeId', () => import('./screens/qr-codes/qr-code.tsx').then((file) => file.QrCode)),
  screen('balances', () => import('./screens/balances/balances.tsx').then((file) => file.Balances)),
  screen('balances/:appId/:currencyId', () =>
    import('./screens/balances/statement.tsx').then((file) => file.Statement),
  ),
  screen('apps', () => import('./screens/apps/apps.tsx').then((file) => file.Apps)),
  screen('apps/:appId', () => import('./screens/apps/app.tsx').then((file) => file.App)),
  screen('webhooks', () => import('./screens/webhooks/webhooks.tsx').then((file) => file.Webhooks)),
  screen('webhooks/:eventId', () =>
    import('./screens/webhooks/webhook-event.tsx').then((file) => file.WebhookEvent),
  ),
  screen('api-calls', () => import('./screens/api-calls/api-calls.tsx').then((file) => file.ApiCalls)),
  screen('api-calls/:callId', () => import('./screens/api-calls/api-call.tsx').then((file) => file.ApiCall)),
  screen('team', () => import('./screens/team/team.tsx').then((file) => file.Team)),
  screen('audit-log', () => import('./screens/audit-log/audit-log.tsx').then((file) => file.AuditLog)),
];

/** Behind /operator. */
const operatorScreens = [
  screen('', () => import('./screens/operator/system/overview.tsx').then((file) => file.Overview)),
  screen('set-up', () => import('./screens/setup/setup.tsx').then((file) => file.Setup)),
  screen('currencies', () => import('./screens/operator/currencies.tsx').then((file) => file.Currencies)),
  screen('merchants', () => import('./screens/operator/merchants.tsx').then((file) => file.Merchants)),
  screen('people', () => import('./screens/operator/people/people.tsx').then((file) => file.People)),
  screen('payouts', () => import('./screens/operator/all-payouts.tsx').then((file) => file.AllPayouts)),
  screen('outgoing', () => import('./screens/operator/outgoing.tsx').then((file) => file.Outgoing)),
  screen('receipts', () => import('./screens/operator/all-receipts.tsx').then((file) => file.AllReceipts)),
  screen('wallets', () => import('./screens/operator/wallets/wallets.tsx').then((file) => file.Wallets)),
  screen('reserves', () => import('./screens/operator/reserves/reserves.tsx').then((file) => file.Reserves)),
  screen('jobs', () => import('./screens/operator/system/jobs.tsx').then((file) => file.Jobs)),
  screen('backups', () => import('./screens/operator/backups/backups.tsx').then((file) => file.Backups)),
  screen('configuration', () =>
    import('./screens/operator/system/configuration.tsx').then((file) => file.Configuration),
  ),
  screen('chains/add', () =>
    import('./screens/operator/additions/add-chain.tsx').then((file) => file.AddChain),
  ),
  screen('chains/add-token', () =>
    import('./screens/operator/additions/add-token.tsx').then((file) => file.AddToken),
  ),
  screen('chains/set-up/:chain', () =>
    import('./screens/operator/additions/add-chain.tsx').then((file) => file.SetUpChain),
  ),
  screen('chains/change/:chain', () =>
    import('./screens/operator/additions/add-chain.tsx').then((file) => file.ChangeChain),
  ),
  screen('chains', () => import('./screens/operator/chains.tsx').then((file) => file.Chains)),
  screen('audit-log', () => import('./screens/audit-log/operator-log.tsx').then((file) => file.OperatorLog)),
];

/** Inside the frame, so that the navigation stays when one screen fails. */
const insideFrame: RouteObject = {
  ErrorBoundary: Trouble,
  children: [
    { index: true, Component: FirstPlace },
    { path: 'm/:merchantId', children: merchantScreens },
    screen('account', () => import('./screens/account/account.tsx').then((file) => file.Account)),
    { path: 'operator', children: operatorScreens },
    { path: '*', Component: NotFound },
  ],
};

export const router = createBrowserRouter([
  {
    ErrorBoundary: Trouble,
    // Nothing is shown while the first screen loads.
    HydrateFallback: () => null,
    children: [
      screen('set-up', () => import('./screens/setup/setup-link.tsx').then((file) => file.SetupLink)),
      screen('invitation', () => import('./screens/sign-in/invitation.tsx').then((file) => file.Invitation)),
      screen('sign-up', () => import('./screens/sign-in/sign-up.tsx').then((file) => file.SignUp)),
      screen('new-password', () =>
        import('./screens/sign-in/new-password.tsx').then((file) => file.NewPassword),
      ),
      screen('mails', () => import('./screens/sign-in/caught-mails.tsx').then((file) => file.CaughtMails)),
      { Component: Gate, children: [insideFrame] },
    ],
  },
]);

/** A member begins at the merchant. An operator without a merchant begins with the incidents that wait. */
function FirstPlace() {
  const { memberships } = usePerson();
  const [first] = memberships;
  return <Navigate replace to={first === undefined ? '/operator' : `/m/${first.merchant_id}`} />;
}

/** Offers to load the page anew, because a file that a screen could not fetch may be there then. */
function Trouble() {
  const error = useRouteError();
  return (
    <Failure
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => window.location.reload()}
    />
  );
}
