// The 23 values that fiat_name may take, in the order of the interface.

/** Allowed values of `fiat_name`. USDT counts as a fiat name in this interface: its price is one US dollar token. */
export const fiatNames = [
  'USD',
  'USDT',
  'JPY',
  'CHF',
  'CAD',
  'NOK',
  'SEK',
  'HKD',
  'SGD',
  'KRW',
  'TWD',
  'CNY',
  'INR',
  'BRL',
  'MXN',
  'ZAR',
  'RUB',
  'TRY',
  'EUR',
  'GBP',
  'AUD',
  'VND',
  'THB',
] as const;
