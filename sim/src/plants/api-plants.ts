// Planted bugs in the answers to merchants, and in blocks that pay many orders at once.
import type { Plant } from './planted-bug.ts';

const gateway = (file: string): string => `gateway/dist/${file}.js`;

export const apiPlants: Readonly<Record<string, Plant>> = {
  'address-nobody-watches': {
    bug: 'the answer names an address that stands nowhere in the books',
    file: gateway('roles/api/present'),
    find: 'pay_address: how.addressSchemes[chain.family].display(order.address)',
    replace: "pay_address: how.addressSchemes[chain.family].display(order.address).replace('000', 'f00')",
  },
  'contract-answered-wrong': {
    bug: 'the answer names the contract of the first token of the chain, whichever was asked for',
    file: gateway('roles/api/present'),
    find: '.display(currency.contract)',
    replace: '.display(chain.currencies.find(({ contract }) => contract !== null).contract)',
  },
  'detail-always-paid': {
    bug: 'order/detail says PAID of every order',
    file: gateway('roles/api/present'),
    find: '        status,\n        time_expire: created.time_expire',
    replace: "        status: 'PAID',\n        time_expire: created.time_expire",
  },
  'confirmations-always-full': {
    bug: 'order/detail says of every order that it is confirmed',
    file: gateway('roles/api/present'),
    find: 'already_confirms: confirmationsSoFar(order, listing.chain, head)',
    replace: 'already_confirms: created.need_confirms',
  },
  'confirmed-before-paid': {
    bug: 'order/detail shows all confirmations of an order that is still to be paid',
    file: gateway('roles/api/present'),
    find: 'already_confirms: confirmationsSoFar(order, listing.chain, head)',
    replace:
      "already_confirms: order.status === 'TO-BE-PAID' ? created.need_confirms : confirmationsSoFar(order, listing.chain, head)",
  },
  'page-of-ended-order': {
    bug: 'order/detail sends payers to the page of an order that has ended',
    file: gateway('roles/api/present'),
    find: "entrust_url: order.status === 'TO-BE-PAID' ? created.entrust_url : ''",
    replace: 'entrust_url: created.entrust_url',
  },
  'fiat-name-forgotten': {
    bug: 'the same request in another fiat counts as the same content',
    file: gateway('roles/api/endpoints/create-order'),
    find: "=> name === 'time_out' && value === 0)",
    replace: "=> (name === 'time_out' && value === 0) || name === 'fiat_name')",
  },
  'number-of-all-apps': {
    bug: 'the order that stands under an out_trade_no is looked for among those of all apps',
    file: gateway('db/tables/orders/orders'),
    find: 'WHERE k.app_id = wanted.app_id AND k.out_trade_no = wanted.out_trade_no',
    replace: 'WHERE k.out_trade_no = wanted.out_trade_no LIMIT 1',
  },
  'conflict-answered': {
    bug: 'an out_trade_no that comes again with other content is answered with the order that stands',
    file: gateway('roles/api/endpoints/create-order'),
    find: 'if (order.inputHash !== inputHash) {',
    replace: "if (order.inputHash === '') {",
  },
  'every-fiat-a-dollar': {
    bug: 'a price in any fiat counts as one in dollars',
    file: gateway('roles/api/endpoints/create-order'),
    find: 'deps.rates.quote(listing.currency, fiatName)',
    replace: "deps.rates.quote(listing.currency, 'USD')",
  },
  'requests-signed-otherwise': {
    bug: 'the API leaves the key out of the text that is signed, when it checks and when it answers',
    file: gateway('roles/api/auth/sign'),
    find: 'signedTail(timestamp, appKey)',
    replace: "signedTail(timestamp, '')",
  },
  'own-callback-ignored': {
    bug: "webhooks go to the app's address, although the order has one of its own",
    file: gateway('db/tables/orders/orders'),
    find: 'coalesce(o.callback_url, a.callback_url) AS deliver_to',
    replace: 'a.callback_url AS deliver_to',
  },
  'answered-is-delivered': {
    bug: 'an attempt counts as delivered as soon as any HTTP answer came, also one of failure',
    file: gateway('flows/deliveries/record-delivery'),
    find: "const state = ended.outcome === 'delivered' ? 'delivered'",
    replace: "const state = ended.httpStatus !== null ? 'delivered'",
  },
  'ten-transfers-a-block': {
    bug: 'of what one block holds, only the first ten transfers are kept',
    file: gateway('flows/blocks/accept-blocks'),
    find: 'placed(transfers.filter(({ from, to }) => ours.has(from) || ours.has(to)), 1),',
    replace: 'placed(transfers.filter(({ from, to }) => ours.has(from) || ours.has(to)).slice(0, 10), 1),',
  },
};
