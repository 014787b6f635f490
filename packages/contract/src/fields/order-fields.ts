// The response fields that order/create and order/detail share, so that the two cannot drift apart.
import Type from 'typebox';
import { chainInfo } from './chain-info.ts';
import { fields } from './fields.ts';

/** Schemas of the shared order fields; the endpoints put them in the order of the interface. */
export const orderFields = {
  trade_no: fields.text('Platform transaction ID.'),
  chain: fields.text('Blockchain network name, such as ETH, BSC or WKC.'),
  token: fields.text('Token symbol.'),
  contract: fields.text('Token contract address; equals the token symbol for a main currency.'),
  amount: fields.amount('Crypto amount to send, in whole tokens.'),
  mode: Type.Enum(['NATIVE', 'HOSTED'], {
    description: 'Payment mode: NATIVE for order/create, HOSTED for the hosted page.',
  }),
  pay_address: fields.text('Recipient address.'),
  time_expire: fields.time('Unix timestamp in seconds at which the order expires.'),
  decimal: fields.count('Token decimals.'),
  chain_id: fields.count('Chain ID; 0 where the chain family has none.'),
  equity: fields.count('Equity value; always 0.'),
  create_time: fields.time('Unix timestamp in seconds at which the order was created.'),
  amount_collected: fields.amountOrEmpty(
    'Final amount collected so far; may be empty in the create response.',
  ),
  need_confirms: fields.count('Required confirmations.'),
  already_confirms: fields.count('Current confirmations.'),
  chain_info: chainInfo,
};
