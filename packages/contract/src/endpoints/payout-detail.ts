// POST /api/payout/detail: reads one payout in full.
import Type from 'typebox';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { createPayout } from './create-payout.ts';

const request = strictObject({
  trade_no: fields.tradeNo('Platform transaction ID, as payout/create answered it.'),
});

const data = strictObject({
  trade_no: fields.text('Platform transaction ID.'),
  service_charge: fields.amount('Service fee, in the payout currency.'),
  gas: fields.amount('Network fee, in the payout currency, as it was quoted.'),
  token: fields.text('Currency: the token symbol.'),
  amount: fields.amount('Amount, as it was asked for.'),
  target_address: fields.text('Recipient address.'),
  start_time: fields.time('Unix timestamp in seconds at which the transaction was signed; 0 before.'),
  created_time: fields.time('Unix timestamp in seconds at which the payout was created.'),
  status: Type.Enum(['PROGRESS', 'CONFIRMING-PROGRESS', 'PAID', 'FAIL', 'CANCEL'], {
    description:
      'Transaction status: PROGRESS is pending, CONFIRMING-PROGRESS is signed and on its way. PAID, FAIL and CANCEL are final; FAIL and CANCEL give everything back to the balance.',
  }),
});

/** The operation payout/detail. An unknown trade_no and a trade_no of another app get the same answer, 10004. */
export const payoutDetail = defineEndpoint({
  name: 'payout-detail',
  path: '/api/payout/detail',
  legacyPath: '/v1/payout/detail',
  summary: 'Read a payout',
  description: 'Reads one payout of the calling app.',
  request,
  legacyRequest: request,
  data,
  legacyData: data,
  allowsEmptyBody: false,
  appKind: 'ANY',
  refusals: [...generalRefusals, 10004],
  exampleRequest: { trade_no: createPayout.exampleData.trade_no },
  exampleData: {
    trade_no: createPayout.exampleData.trade_no,
    service_charge: '0.03',
    gas: '0.25',
    token: 'USDT',
    amount: '100',
    target_address: '0x52908400098527886E0F7030069857D2E4169EE7',
    start_time: 1763626812,
    created_time: 1763626800,
    status: 'CONFIRMING-PROGRESS',
  },
});
