// Planted bugs in how and when transfers on a chain become money.
import type { Plant } from './planted-bug.ts';

const gateway = (file: string): string => `gateway/dist/${file}.js`;

export const chainPlants: Readonly<Record<string, Plant>> = {
  'books-read-behind-chain': {
    bug: 'the check of the books leaves out what came in the very block of the balances',
    file: gateway('roles/maintenance/compare-balances'),
    find: '{ ...asked, atBlock }',
    replace: '{ ...asked, atBlock: atBlock - 1 }',
  },
  'returns-with-old-amount': {
    bug: 'a transfer that comes back after a fork keeps the amount it had before',
    file: gateway('db/tables/transfers/insert-transfers'),
    find: 'to_address = excluded.to_address, units = excluded.units,',
    replace: 'to_address = excluded.to_address,',
  },
  'final-twenty-blocks-late': {
    bug: 'money becomes final twenty blocks after the chain said so',
    file: 'core/dist/chain/chain.js',
    find: 'return head - chain.confirmations + 1;',
    replace: 'return head - chain.confirmations - 19;',
  },
  'all-must-call-it-final': {
    bug: 'a block is final only when every endpoint says so, so that one that is gone holds all money',
    file: gateway('chains/quorum/quorum-reader'),
    find: 'const needed = wanted ?? defaultQuorum(readers.length);',
    replace: 'const needed = readers.length;',
  },
  'no-currency-compared': {
    bug: 'the check of the books compares no currency with its chain',
    file: gateway('roles/maintenance/chain-checks'),
    find: 'const compared = currencies.filter(({ enabled, currencyId }) => enabled || held.has(currencyId));',
    replace: 'const compared = [];',
  },
  'final-time-ahead': {
    bug: 'what is final counts as half a minute newer than its block',
    file: gateway('db/tables/cursors'),
    find: '[chain, final.number, final.time]',
    replace: '[chain, final.number, final.time + 30]',
  },
  'two-orders-one-credit': {
    bug: 'of one transaction only what pays the first of its orders is credited',
    file: gateway('flows/blocks/accept-blocks'),
    find: 'placed(transfers.filter(({ from, to }) => ours.has(from) || ours.has(to)), 1),',
    replace:
      'placed(transfers.filter(({ to, txId }) => ours.has(to) && transfers.find((other) => other.txId === txId && ours.has(other.to)).to === to), 1),',
  },
  'retries-hundredfold': {
    bug: 'a webhook waits a hundred times as long as its retry schedule says',
    file: 'core/dist/webhook/schedule.js',
    find: 'seconds * 1000',
    replace: 'seconds * 100_000',
  },
  'trace-disposes': {
    bug: 'internal transactions count as a trace reports them, whatever the balance says',
    file: 'core/dist/chain/explain.js',
    find: 'if (compare(candidate.amount, rest) === 1)\n            continue;',
    replace: '',
    scenario: 'a trace shows more than arrived',
  },
  'proposal-counts': {
    bug: 'an internal transaction that one provider proposes counts without its balance',
    file: gateway('flows/blocks/accept-blocks'),
    find: 'await insertProposed(tx, chain.family, ours.flatMap(({ proposals }) => proposals));',
    replace: 'await insertSeen(tx, chain.family, ours.flatMap(({ proposals }) => proposals));',
  },
  'parts-apart': {
    bug: 'the parts that one transaction pays to an order are payments of their own',
    file: 'core/dist/order/settle-all.js',
    find: 'const isPayment = from === null && target !== undefined;',
    replace: 'const isPayment = false;',
  },
  'native-expires-early': {
    bug: 'an order in the native currency times out before internal transactions were searched for',
    file: gateway('flows/orders/expire-orders'),
    find: 'time: Math.min(finalTime, cursor?.searchedTime ?? 0)',
    replace: 'time: finalTime',
  },
};
