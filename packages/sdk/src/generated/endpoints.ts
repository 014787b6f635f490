// The paths of the endpoints and the types that belong to their names.
// Generated from the contract by generate/generate.mjs; do not edit.
import type {
  AccountBalanceData,
  AccountBalanceRequest,
  AppTokenListElement,
  CreateOrderData,
  CreateOrderRequest,
  CreatePayoutData,
  CreatePayoutRequest,
  CreateQrCodeData,
  CreateQrCodeRequest,
  ExchangeRatesData,
  ExchangeRatesRequest,
  OrderDetailData,
  OrderDetailRequest,
  PaymentBody,
  PayoutDetailData,
  PayoutDetailRequest,
  PreCreateData,
  PreCreateRequest,
  QrPaymentBody,
  TokenListElement,
  TransferBody,
} from './types.ts';

/** The path of each endpoint. */
export const endpointPaths = {
  'create-order': '/api/order/create',
  'pre-create': '/api/entrust/pre-create',
  'order-detail': '/api/order/detail',
  'exchange-rates': '/api/order/exchange-rates',
  'token-list': '/api/currency/token-list',
  'app-token-list': '/api/currency/app-token-list',
  'account-balance': '/api/account/balance',
  'create-payout': '/api/payout/create',
  'payout-detail': '/api/payout/detail',
  'create-qr-code': '/api/payment-qr-code/create',
} as const;

/** Request and answer data of each endpoint. */
export interface EndpointTypes {
  'create-order': { request: CreateOrderRequest; data: CreateOrderData };
  'pre-create': { request: PreCreateRequest; data: PreCreateData };
  'order-detail': { request: OrderDetailRequest; data: OrderDetailData };
  'exchange-rates': { request: ExchangeRatesRequest; data: ExchangeRatesData };
  'token-list': { request: Record<string, never>; data: readonly TokenListElement[] };
  'app-token-list': { request: Record<string, never>; data: readonly AppTokenListElement[] };
  'account-balance': { request: AccountBalanceRequest; data: AccountBalanceData };
  'create-payout': { request: CreatePayoutRequest; data: CreatePayoutData };
  'payout-detail': { request: PayoutDetailRequest; data: PayoutDetailData };
  'create-qr-code': { request: CreateQrCodeRequest; data: CreateQrCodeData };
}

/** The body of each kind of webhook. */
export interface WebhookBodies {
  PAYMENT: PaymentBody;
  TRANSFER: TransferBody;
  QR_PAYMENT: QrPaymentBody;
}

/** The kinds of webhook this version knows. */
export const webhookTypes = ['PAYMENT', 'TRANSFER', 'QR_PAYMENT'] as const;
