// Every address of the dashboard. Screens load with the first visit; filters of lists live in the address.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import { usePerson } from './api/session.ts';
import { Failure } from './parts/data/failure.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Gate } from './shell/gate.tsx';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation',
  component: lazyRouteComponent(() => import('./screens/sign-in/invitation.tsx'), 'Invitation'),
});

const gateRoute = createRoute({ getParentRoute: () => rootRoute, id: 'gate', component: Gate });

const indexRoute = createRoute({ getParentRoute: () => gateRoute, path: '/', component: FirstPlace });

const merchantRoute = createRoute({ getParentRoute: () => gateRoute, path: 'm/$merchantId' });

const merchantRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'orders',
    component: lazyRouteComponent(() => import('./screens/orders/orders.tsx'), 'Orders'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'orders/$tradeNo',
    component: lazyRouteComponent(() => import('./screens/orders/order.tsx'), 'Order'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payouts',
    component: lazyRouteComponent(() => import('./screens/payouts/payouts.tsx'), 'Payouts'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payouts/new',
    component: lazyRouteComponent(() => import('./screens/payouts/new-payout.tsx'), 'NewPayout'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payouts/$tradeNo',
    component: lazyRouteComponent(() => import('./screens/payouts/payout.tsx'), 'Payout'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'balances',
    component: lazyRouteComponent(() => import('./screens/balances/balances.tsx'), 'Balances'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'apps',
    component: lazyRouteComponent(() => import('./screens/apps/apps.tsx'), 'Apps'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'apps/$appId',
    component: lazyRouteComponent(() => import('./screens/apps/app.tsx'), 'App'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'webhooks/$eventId',
    component: lazyRouteComponent(() => import('./screens/webhooks/webhook-event.tsx'), 'WebhookEvent'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'team',
    component: lazyRouteComponent(() => import('./screens/team/team.tsx'), 'Team'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'audit-log',
    component: lazyRouteComponent(() => import('./screens/audit-log/audit-log.tsx'), 'AuditLog'),
  }),
];

const accountRoute = createRoute({
  getParentRoute: () => gateRoute,
  path: 'account',
  component: lazyRouteComponent(() => import('./screens/account/account.tsx'), 'Account'),
});

const operatorRoutes = [
  createRoute({
    getParentRoute: () => gateRoute,
    path: 'operator/chains',
    component: lazyRouteComponent(() => import('./screens/operator/chains.tsx'), 'Chains'),
  }),
  createRoute({
    getParentRoute: () => gateRoute,
    path: 'operator/audit-log',
    component: lazyRouteComponent(() => import('./screens/audit-log/operator-log.tsx'), 'OperatorLog'),
  }),
];

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    invitationRoute,
    gateRoute.addChildren([
      indexRoute,
      merchantRoute.addChildren(merchantRoutes),
      accountRoute,
      ...operatorRoutes,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => (
    <Failure error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
  ),
  // Everything in a filter is text; nothing of it is read as a number or as JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>) => {
    const kept = Object.entries(search).flatMap(([key, value]) =>
      typeof value === 'string' && value !== '' ? [[key, value]] : [],
    );
    return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`;
  },
  scrollRestoration: true,
});

/** A member begins at the merchant, an operator of no merchant with the chains. */
function FirstPlace() {
  const { memberships } = usePerson();
  const [first] = memberships;
  return <Navigate replace to={first === undefined ? '/operator/chains' : `/m/${first.merchant_id}`} />;
}
