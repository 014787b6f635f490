// POST /api/currency/token-list: every token the gateway supports.
import Type from 'typebox';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { tokenFields } from '../fields/token-fields.ts';

const request = strictObject({});

/** The operation currency/token-list. */
export const tokenList = defineEndpoint({
  name: 'token-list',
  path: '/api/currency/token-list',
  legacyPath: '/v1/currency/token-list',
  summary: 'List all supported tokens',
  description: 'Lists all tokens that the gateway supports, whether or not the app has them enabled.',
  request,
  legacyRequest: request,
  data: Type.Array(strictObject(tokenFields)),
  legacyData: Type.Array(strictObject({ ...tokenFields, currency_id: fields.legacyCurrencyId() })),
  allowsEmptyBody: true,
  appKind: 'ANY',
  refusals: generalRefusals,
  exampleRequest: {},
  exampleData: [
    {
      currency_id: 1000,
      chain: 'ETH',
      network: 'ERC20',
      token: 'ETH',
      contract: 'ETH',
      chain_id: 1,
      logo: 'https://api.example/logos/1000.svg',
      decimal: 18,
    },
    {
      currency_id: 1001,
      chain: 'ETH',
      network: 'ERC20',
      token: 'USDT',
      contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      chain_id: 1,
      logo: 'https://api.example/logos/1001.svg',
      decimal: 6,
    },
  ],
});
