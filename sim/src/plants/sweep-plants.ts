// Planted bugs of sweeps: addresses that are emptied together, by one transaction of the gas wallet.
import type { Plant } from './planted-bug.ts';

const gateway = (file: string): string => `gateway/dist/${file}.js`;

const TOGETHER = 'tokens are swept together';
const PUSHED = 'a stranger is faster than a sweep';

export const sweepPlants: Readonly<Record<string, Plant>> = {
  'swept-by-its-status': {
    bug: 'a sweep that succeeded counts as having emptied all of its addresses',
    file: gateway('flows/collections/advance-collection'),
    find: "return { ...collection, step: verdict, amount: verdict === 'succeeded' ? moved : amount };",
    replace: 'return collection;',
    scenario: PUSHED,
  },
  'swept-by-the-transfers-of-others': {
    bug: 'whatever a sweep moved counts for each of its addresses',
    file: 'core/dist/outgoing/sweep-verdict.js',
    find: 'const left = moved.filter((one) => one.from === from);',
    replace: 'const left = moved;',
    scenario: TOGETHER,
  },
  'swept-before-it-is-final': {
    bug: 'the addresses of a sweep count as emptied as soon as it is signed',
    file: gateway('db/tables/collections/collections'),
    find: 'JOIN outgoing_transactions o ON (o.subject_kind, o.subject_id) = (CASE c.state',
    replace: `JOIN (SELECT subject_kind, subject_id, tx_id, trouble, trouble_since_ms,
        CASE WHEN state = 'signed' AND action = 'sweep' THEN 'succeeded' ELSE state END AS state,
        CASE WHEN state = 'signed' AND action = 'sweep' THEN 1 ELSE ended_at_ms END AS ended_at_ms
      FROM outgoing_transactions) o ON (o.subject_kind, o.subject_id) = (CASE c.state`,
    scenario: TOGETHER,
  },
};
