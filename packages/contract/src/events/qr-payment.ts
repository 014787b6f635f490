// The webhook body of type QR_PAYMENT: a static QR code was paid to.
import Type from 'typebox';
import { defineEvent } from '../event.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';

/** The QR_PAYMENT event: always PAID, once for each transfer. */
export const qrPayment = defineEvent({
  type: 'QR_PAYMENT',
  summary: 'A static QR code was paid to',
  description:
    'Sent once for each final transfer to the address of a QR code in the currency of the code, whatever its amount: token_amount is what came. Two transfers of one transaction are two payments with one txid. Nothing is sent of what comes to a disabled code.',
  body: strictObject({
    appid: fields.text('AppId of the QR code application.'),
    trade_no: fields.text('Platform transaction ID of this payment; one transfer has one for ever.'),
    type: Type.Literal('QR_PAYMENT', { description: 'Kind of the body.' }),
    chain: fields.text('Chain name, such as ETH, BSC or WKC.'),
    chain_id: fields.count('Chain ID; 0 where the chain family has none.'),
    contract: fields.text('Token contract address; equals the token symbol for a main currency.'),
    txid: fields.text('Hash of the transaction.'),
    currency_id: fields.currencyId(),
    from_address: fields.text('Paying wallet address.'),
    to_address: fields.text('Receiving wallet address: that of the QR code.'),
    token_amount: fields.amount('Tokens that were paid.'),
    status: Type.Literal('PAID', {
      description: 'Transaction status; X-EventType carries the same value.',
    }),
    time: fields.time('Block time of the transfer in Unix seconds.'),
  }),
  example: {
    appid: 'app_7Q2M4K8D1C',
    trade_no: 'qrp_01jag5oo60v7lpsts23cumps7tr6rr',
    type: 'QR_PAYMENT',
    chain: 'ETH',
    chain_id: 1,
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    txid: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    currency_id: 1001,
    from_address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
    token_amount: '12.5',
    status: 'PAID',
    time: 1763627000,
  },
});
