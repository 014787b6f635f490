// POST /api/currency/app-token-list: the enabled receiving tokens of the calling app, with balances.
import Type from 'typebox';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { tokenFields } from '../fields/token-fields.ts';

const request = strictObject({});

const balanceFields = {
  balance: fields.amount('Total balance.'),
  operable_balance: fields.amount('Operable balance.'),
  frozen_amount: fields.amount('Frozen amount.'),
  status: Type.Integer({ description: '1 = enabled, 2 = disabled.', minimum: 1, maximum: 2 }),
  transaction_enabled: Type.Boolean({ description: 'Receiving enabled; always true in this response.' }),
};

/** The operation currency/app-token-list. */
export const appTokenList = defineEndpoint({
  name: 'app-token-list',
  path: '/api/currency/app-token-list',
  legacyPath: '/v1/currency/app-token-list',
  summary: 'List the tokens of the app with balances',
  description:
    'Lists the enabled receiving tokens of the app that X-Appid names, with balances on the same basis as account/balance. It is not the full catalog.',
  request,
  legacyRequest: request,
  data: Type.Array(strictObject({ ...tokenFields, ...balanceFields })),
  legacyData: Type.Array(
    strictObject({ ...tokenFields, currency_id: fields.legacyCurrencyId(), ...balanceFields }),
  ),
  allowsEmptyBody: true,
  appKind: 'ANY',
  refusals: generalRefusals,
  exampleRequest: {},
  exampleData: [
    {
      currency_id: 1001,
      chain: 'ETH',
      network: 'ERC20',
      token: 'USDT',
      contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      chain_id: 1,
      logo: 'https://api.example/logos/1001.svg',
      decimal: 6,
      balance: '112.49625',
      operable_balance: '100',
      frozen_amount: '12.49625',
      status: 1,
      transaction_enabled: true,
    },
  ],
});
