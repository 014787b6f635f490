// The record of all handlers, typed by the contract's names: one that lacks does not compile.
import type { EndpointName } from '@ducat/contract/endpoints/registry';
import type { Handler } from '../handler.ts';
import { accountBalance } from './account-balance.ts';
import { appTokenList } from './app-token-list.ts';
import { createOrder } from './create-order.ts';
import { exchangeRates } from './exchange-rates.ts';
import { orderDetail } from './order-detail.ts';
import { tokenList } from './token-list.ts';

export const handlers: { readonly [Name in EndpointName]: Handler<Name> } = {
  'create-order': createOrder,
  'order-detail': orderDetail,
  'exchange-rates': exchangeRates,
  'token-list': tokenList,
  'app-token-list': appTokenList,
  'account-balance': accountBalance,
};
