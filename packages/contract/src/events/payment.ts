// The webhook body of type PAYMENT: an order was paid, underpaid or timed out.
import Type from 'typebox';
import { defineEvent } from '../event.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';

/** The PAYMENT event. PAID and TIME-OUT are final; TO-BE-PAID reports a final part that leaves the order short. */
export const payment = defineEvent({
  type: 'PAYMENT',
  summary: 'An order was paid, underpaid or timed out',
  description:
    'Sent when an order is PAID, when a final part leaves it short (TO-BE-PAID, amount_collected shows the sum so far) and when it times out (TIME-OUT).',
  body: strictObject({
    appid: fields.text('Merchant AppId.'),
    trade_no: fields.text('Platform transaction ID.'),
    out_trade_no: fields.text('Merchant order ID.'),
    amount_collected: fields.amount('Tokens the payer has paid, final transfers only.'),
    amount: fields.amountOrEmpty('Fiat amount of the order as given; empty when it has none.'),
    token_amount: fields.amount('Tokens the order asks for.'),
    chain: fields.text('Chain name, such as ETH, BSC or WKC.'),
    chain_id: fields.count('Chain ID; 0 where the chain family has none.'),
    type: Type.Literal('PAYMENT', { description: 'Kind of the body.' }),
    currency_id: fields.currencyId(),
    txid: fields.text(
      'Hash of the transfer that caused the event; for a TIME-OUT of the newest transfer in amount_collected, empty when there was none.',
    ),
    status: Type.Enum(['TO-BE-PAID', 'PAID', 'TIME-OUT'], {
      description: 'Transaction status; X-EventType carries the same value.',
    }),
    time: fields.time('Block time of that transfer in Unix seconds; for a TIME-OUT the expiry of the order.'),
    redirect_url: fields.text('Address for the payer after a successful payment; empty when none was given.'),
  }),
  example: {
    appid: 'app_7Q2M4K8D1C',
    trade_no: 'ord_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    out_trade_no: 'order-1001',
    amount_collected: '12.5',
    amount: '12.50',
    token_amount: '12.5',
    chain: 'ETH',
    chain_id: 1,
    type: 'PAYMENT',
    currency_id: 1001,
    txid: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    status: 'PAID',
    time: 1763627000,
    redirect_url: 'https://shop.example/thanks',
  },
});
