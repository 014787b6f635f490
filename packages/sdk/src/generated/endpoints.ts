// The paths of the endpoints and the types that belong to their names.
// Generated from the contract by generate/generate.mjs; do not edit.
import type {
  AccountBalanceData,
  AccountBalanceRequest,
  AppTokenListElement,
  CreateOrderData,
  CreateOrderRequest,
  CreateQrCodeData,
  CreateQrCodeRequest,
  ExchangeRatesData,
  ExchangeRatesRequest,
  OrderDetailData,
  OrderDetailRequest,
  PaymentBody,
  QrPaymentBody,
  TokenListElement,
} from './types.ts';

/** The path of each endpoint. */
export const endpointPaths = {
  'create-order': '/api/order/create',
  'order-detail': '/api/order/detail',
  'exchange-rates': '/api/order/exchange-rates',
  'token-list': '/api/currency/token-list',
  'app-token-list': '/api/currency/app-token-list',
  'account-balance': '/api/account/balance',
  'create-qr-code': '/api/payment-qr-code/create',
} as const;

/** Request and answer data of each endpoint. */
export interface EndpointTypes {
  'create-order': { request: CreateOrderRequest; data: CreateOrderData };
  'order-detail': { request: OrderDetailRequest; data: OrderDetailData };
  'exchange-rates': { request: ExchangeRatesRequest; data: ExchangeRatesData };
  'token-list': { request: Record<string, never>; data: readonly TokenListElement[] };
  'app-token-list': { request: Record<string, never>; data: readonly AppTokenListElement[] };
  'account-balance': { request: AccountBalanceRequest; data: AccountBalanceData };
  'create-qr-code': { request: CreateQrCodeRequest; data: CreateQrCodeData };
}

/** The body of each kind of webhook. */
export interface WebhookBodies {
  PAYMENT: PaymentBody;
  QR_PAYMENT: QrPaymentBody;
}

/** The kinds of webhook this version knows. */
export const webhookTypes = ['PAYMENT', 'QR_PAYMENT'] as const;
