// The method of the SDK for each operation. The type makes a missing operation an error of the compiler.
import type { EndpointName } from '@ducat/contract/endpoints/registry';

export interface SdkCall {
  readonly resource: string;
  readonly method: string;
  /** A variable's name for the answer. */
  readonly answer: string;
  /** True where the method takes no request. */
  readonly isBare?: true;
}

export const sdkCalls: Readonly<Record<EndpointName, SdkCall>> = {
  'create-order': { resource: 'orders', method: 'create', answer: 'order' },
  'pre-create': { resource: 'orders', method: 'preCreate', answer: 'order' },
  'order-detail': { resource: 'orders', method: 'detail', answer: 'order' },
  'exchange-rates': { resource: 'orders', method: 'exchangeRates', answer: 'quote' },
  'token-list': { resource: 'currencies', method: 'list', answer: 'tokens', isBare: true },
  'app-token-list': { resource: 'currencies', method: 'listForApp', answer: 'tokens', isBare: true },
  'account-balance': { resource: 'account', method: 'balance', answer: 'balance' },
  'create-payout': { resource: 'payouts', method: 'create', answer: 'payout' },
  'payout-detail': { resource: 'payouts', method: 'detail', answer: 'payout' },
  'create-qr-code': { resource: 'qrCodes', method: 'create', answer: 'code' },
};
