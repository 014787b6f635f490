// POST /api/order/create: opens a payment order and returns an address, an amount and an expiry.
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { orderFields } from '../fields/order-fields.ts';
import { orderTerms, referer, redirectUrl } from '../fields/order-terms.ts';
import { strictObject } from '../fields/strict-object.ts';

/** The fields that must be sent beside the required ones (decision B1). */
const amountRule = {
  anyOf: [{ required: ['token_amount'] }, { required: ['fiat_name', 'fiat_amount'] }],
  dependentRequired: { fiat_amount: ['fiat_name'] },
};

const outTradeNo = fields.outTradeNo(
  'Merchant order ID, unique per app for ever. It makes the call idempotent: the same content again answers the same order, other content is refused with 10003. Content is the text of the fields: "10" and "10.0" are other content.',
);

const data = strictObject({
  trade_no: orderFields.trade_no,
  chain: orderFields.chain,
  token: orderFields.token,
  contract: orderFields.contract,
  amount: orderFields.amount,
  mode: orderFields.mode,
  pay_address: orderFields.pay_address,
  time_expire: orderFields.time_expire,
  decimal: orderFields.decimal,
  chain_id: orderFields.chain_id,
  equity: orderFields.equity,
  create_time: orderFields.create_time,
  amount_collected: orderFields.amount_collected,
  need_confirms: orderFields.need_confirms,
  already_confirms: orderFields.already_confirms,
  entrust_url: fields.text('Address of the payment page: {checkout_url}/<trade_no>.'),
  chain_info: orderFields.chain_info,
});

/** The operation order/create. Either token_amount or the pair fiat_name and fiat_amount must be there. */
export const createOrder = defineEndpoint({
  name: 'create-order',
  path: '/api/order/create',
  legacyPath: '/v1/order/create',
  summary: 'Create a payment order',
  description:
    'Creates a payment order for one currency. Send token_amount, or fiat_name with fiat_amount; the token amount is then computed with the current rate and rounded up. Idempotent by out_trade_no: the same content again answers the same order, in which only need_confirms, entrust_url and chain_info follow the configuration of the gateway. So a repeated call says amount_collected 0 and already_confirms 0 also where the order was paid meanwhile: ask order/detail for its state. Show the payer amount and pay_address yourself, or send the payer to entrust_url.',
  request: strictObject(
    {
      out_trade_no: outTradeNo,
      currency_id: fields.currencyId(),
      ...orderTerms,
      redirect_url: redirectUrl,
    },
    amountRule,
  ),
  legacyRequest: strictObject(
    {
      out_trade_no: outTradeNo,
      currency_id: fields.legacyCurrencyId(),
      ...orderTerms,
      referer,
    },
    amountRule,
  ),
  data,
  legacyData: data,
  allowsEmptyBody: false,
  appKind: 'PAYMENT',
  refusals: [...generalRefusals, 20003],
  exampleRequest: {
    out_trade_no: 'order-1001',
    currency_id: 1001,
    fiat_name: 'USD',
    fiat_amount: '12.50',
    callback_url: 'https://shop.example/ducat/webhook',
    time_out: 0,
    redirect_url: 'https://shop.example/thanks',
  },
  exampleData: {
    trade_no: 'ord_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    chain: 'ETH',
    token: 'USDT',
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    amount: '12.5',
    mode: 'NATIVE',
    pay_address: '0x52908400098527886E0F7030069857D2E4169EE7',
    time_expire: 1763628600,
    decimal: 6,
    chain_id: 1,
    equity: 0,
    create_time: 1763626800,
    amount_collected: '0',
    need_confirms: 12,
    already_confirms: 0,
    entrust_url: 'https://pay.example/ord_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    chain_info: {
      token: 'ETH',
      abi: '[{"type":"function","name":"transfer","inputs":[{"name":"to","type":"address"},{"name":"value","type":"uint256"}],"outputs":[{"type":"bool"}]}]',
      rpc: '',
      browser_url: 'https://etherscan.io',
      decimal: 18,
      logo: 'https://api.example/logos/1000.svg',
      series: 'ETH',
      monitor_chain_id: 1,
    },
  },
});
