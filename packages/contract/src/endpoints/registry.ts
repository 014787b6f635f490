// The record of all endpoints; a record with one entry per endpoint is typed by these names.
import type { Endpoint } from '../endpoint.ts';
import type { Fitting } from '../fields/schema-for.ts';
import { accountBalance } from './account-balance.ts';
import { appTokenList } from './app-token-list.ts';
import { createOrder } from './create-order.ts';
import { createPayout } from './create-payout.ts';
import { createQrCode } from './create-qr-code.ts';
import { exchangeRates } from './exchange-rates.ts';
import { orderDetail } from './order-detail.ts';
import { payoutDetail } from './payout-detail.ts';
import { preCreate } from './pre-create.ts';
import { tokenList } from './token-list.ts';

/** All endpoints by name. A record over `EndpointName` that lacks one does not compile. */
export const endpoints = {
  'create-order': createOrder,
  'pre-create': preCreate,
  'order-detail': orderDetail,
  'exchange-rates': exchangeRates,
  'token-list': tokenList,
  'app-token-list': appTokenList,
  'account-balance': accountBalance,
  'create-payout': createPayout,
  'payout-detail': payoutDetail,
  'create-qr-code': createQrCode,
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint. */
export type EndpointName = keyof typeof endpoints;

/** The request of an endpoint in its current shape; old requests are brought into it before a handler sees them. */
export type RequestOf<Name extends EndpointName> = Fitting<(typeof endpoints)[Name]['request']>;

/** The data that a handler of the endpoint answers, in the current shape. */
export type DataOf<Name extends EndpointName> = Fitting<(typeof endpoints)[Name]['data']>;
