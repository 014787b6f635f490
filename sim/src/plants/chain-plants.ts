// Planted bugs in how what a chain shows becomes money, and when.
import type { Plant } from './plants.ts';

const gateway = (file: string): string => `gateway/dist/${file}.js`;

export const chainPlants: Readonly<Record<string, Plant>> = {
  'books-read-behind-chain': {
    bug: 'the check of the books leaves out what came in the very block it asks the chain at',
    file: gateway('roles/maintenance/compare-balances'),
    find: '{ ...asked, atBlock }',
    replace: '{ ...asked, atBlock: atBlock - 1 }',
  },
  'returns-with-old-amount': {
    bug: 'a transfer that comes back after a fork keeps the amount it had before',
    file: gateway('db/tables/transfers'),
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
    file: gateway('chains/endpoint/agree-final'),
    find: 'const needed = Math.min(2, endpoints.count);',
    replace: 'const needed = endpoints.count;',
  },
  'no-currency-compared': {
    bug: 'the check of the books compares no currency with its chain',
    file: gateway('roles/maintenance/chain-checks'),
    find: 'enabled || held.has(currencyId)',
    replace: 'false',
  },
  'final-time-ahead': {
    bug: 'what is final counts as half a minute newer than its block',
    file: gateway('db/tables/cursors'),
    find: '[chain, final.number, final.time]',
    replace: '[chain, final.number, final.time + 30]',
  },
  'two-orders-one-credit': {
    bug: 'of one transaction only what pays the first of its orders is credited',
    file: gateway('db/tables/transfers'),
    find: 'FROM incoming JOIN addresses ON family = $1 AND address = to_address',
    replace:
      'FROM incoming JOIN addresses ON family = $1 AND address = to_address AND ordinal = (SELECT min(other.ordinal) FROM incoming AS other WHERE other.tx_id = incoming.tx_id)',
  },
  'rungs-hundredfold': {
    bug: 'a webhook waits a hundred times as long as its ladder says',
    file: 'core/dist/webhook/schedule.js',
    find: 'seconds * 1000',
    replace: 'seconds * 100_000',
  },
};
