// The record of all handlers, typed by the contract's names: a missing handler does not compile.
import type { EndpointName } from '@ducat/contract/endpoints/registry';
import type { Handler } from '../handler.ts';
import { handleAccountBalance } from './account-balance.ts';
import { handleAppTokenList } from './app-token-list.ts';
import { handleCreateOrder } from './create-order.ts';
import { handleCreatePayout } from './create-payout.ts';
import { handleCreateQrCode } from './create-qr-code.ts';
import { handleExchangeRates } from './exchange-rates.ts';
import { handleOrderDetail } from './order-detail.ts';
import { handlePayoutDetail } from './payout-detail.ts';
import { handlePreCreate } from './pre-create.ts';
import { handleTokenList } from './token-list.ts';

export const handlers: { readonly [Name in EndpointName]: Handler<Name> } = {
  'create-order': handleCreateOrder,
  'pre-create': handlePreCreate,
  'order-detail': handleOrderDetail,
  'exchange-rates': handleExchangeRates,
  'token-list': handleTokenList,
  'app-token-list': handleAppTokenList,
  'account-balance': handleAccountBalance,
  'create-payout': handleCreatePayout,
  'payout-detail': handlePayoutDetail,
  'create-qr-code': handleCreateQrCode,
};
