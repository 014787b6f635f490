// The webhook body of type TRANSFER: a payout succeeded or failed.
import Type from 'typebox';
import { defineEvent } from '../event.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';

/** The TRANSFER event. Both statuses are final; a payout has one of them, once. */
export const transfer = defineEvent({
  type: 'TRANSFER',
  summary: 'A payout succeeded or failed',
  description:
    'Sent once for each payout: when its transfer is final on the chain (PAID), or when it is proven that no transfer can happen any more (FAIL); then everything is back in the balance. A payout that was cancelled sends nothing.',
  body: strictObject({
    appid: fields.text('Merchant AppId.'),
    chain: fields.text('Chain name, such as ETH, BSC or WKC.'),
    chain_id: fields.count('Chain ID; 0 where the chain family has none.'),
    contract: fields.text(
      'Token contract address; the symbol, such as ETH, TRX or BNB, for a main currency.',
    ),
    currency_id: fields.currencyId(),
    status: Type.Enum(['PAID', 'FAIL'], {
      description: 'Transaction status; X-EventType carries the same value.',
    }),
    time: fields.time(
      'Block time of the transfer in Unix seconds; for a FAIL the time of the block that proves it.',
    ),
    token_amount: fields.amount('Amount of the payout in tokens, as it was asked for.'),
    trade_no: fields.text('Platform transaction ID.'),
    txid: fields.text('Hash of the transaction on the chain; for a FAIL of the one that proves it.'),
    type: Type.Literal('TRANSFER', { description: 'Kind of the body.' }),
  }),
  example: {
    appid: 'app_7Q2M4K8D1C',
    chain: 'ETH',
    chain_id: 1,
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    currency_id: 1001,
    status: 'PAID',
    time: 1763627000,
    token_amount: '100',
    trade_no: 'pay_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    txid: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    type: 'TRANSFER',
  },
});
