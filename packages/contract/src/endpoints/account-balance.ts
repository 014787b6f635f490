// POST /api/account/balance: the balance of the calling app in one currency.
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { tokenFields } from '../fields/token-fields.ts';

const balanceFields = {
  balance: fields.amount('Remaining quantity.'),
  balance_usdt: fields.amount('Remaining quantity converted to USDT.'),
  operable_balance: fields.amount('Quantity that can be used now.'),
  operable_balance_usdt: fields.amount('Operable quantity converted to USDT.'),
  chain: tokenFields.chain,
  network: tokenFields.network,
  token: tokenFields.token,
  contract: tokenFields.contract,
};

/** The operation account/balance. */
export const accountBalance = defineEndpoint({
  name: 'account-balance',
  path: '/api/account/balance',
  legacyPath: '/v1/account/balance',
  summary: 'Read the balance in one currency',
  description: 'Reads what the app holds in one currency, and how much of it can be used now.',
  request: strictObject({ currency_id: fields.currencyId() }),
  legacyRequest: strictObject({ currency_id: fields.legacyCurrencyId() }),
  data: strictObject({ currency_id: fields.currencyId(), ...balanceFields }),
  legacyData: strictObject({ currency_id: fields.legacyCurrencyId(), ...balanceFields }),
  allowsEmptyBody: false,
  appKind: 'ANY',
  refusals: generalRefusals,
  exampleRequest: { currency_id: 1001 },
  exampleData: {
    currency_id: 1001,
    balance: '112.49625',
    balance_usdt: '112.49625',
    operable_balance: '100',
    operable_balance_usdt: '100',
    chain: 'ETH',
    network: 'ERC20',
    token: 'USDT',
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  },
});
