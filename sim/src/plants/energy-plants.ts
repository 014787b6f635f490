// Planted bugs of energy that a stake lends: taken back too early, too late, never, or lent twice.
import type { Plant } from './planted-bug.ts';

const gateway = (file: string): string => `gateway/dist/${file}.js`;

const BY_A_STAKE = 'a token is collected by a stake';

export const energyPlants: Readonly<Record<string, Plant>> = {
  'energy-forgotten-after-a-death': {
    bug: 'only the process that had energy delegated takes it back, and forgets that with its death',
    file: gateway('roles/collector/stake/take-back-due'),
    find: 'const due = await readEnergyOut(reader, query, { nowMs, limit: MOST_AT_ONCE });',
    replace: `const due = (await readEnergyOut(reader, query, { nowMs, limit: MOST_AT_ONCE }))
      .filter(({ collectionId }) => globalThis.startedBy?.get(collectionId) === collector.holder);`,
    elsewhere: {
      file: gateway('roles/collector/start-due'),
      find: "observer.onCollection(chain.name, 'started');",
      replace: '(globalThis.startedBy ??= new Map()).set(collectionId, collector.holder);',
    },
    scenario: BY_A_STAKE,
    crashEvery: 499,
  },
  'energy-is-back-when-asked-for': {
    bug: 'energy counts as back as soon as it is asked back, so that a return that failed is not asked for again',
    file: gateway('flows/collections/stake/take-back-energy'),
    find: 'return look(nowMs + LOOK_MS.wait, { returns: returns + 1 });',
    replace: 'return look(null, { returns: returns + 1 });',
    scenario: 'what takes energy back fails',
  },
  'energy-delegated-twice': {
    bug: 'what is to be taken back is delegated once more',
    file: gateway('flows/collections/stake/delegation-request'),
    find: "return requestOf(energy, 'undelegate');",
    replace: "return requestOf(energy, 'delegate');",
    scenario: BY_A_STAKE,
  },
  'moved-before-its-energy-is-final': {
    bug: 'a transfer is sent as soon as the delegation for it is signed',
    file: gateway('db/tables/collections/collections'),
    find: 'JOIN outgoing_transactions o ON (o.subject_kind, o.subject_id) = (CASE c.state',
    replace: `JOIN (SELECT subject_kind, subject_id, trouble, trouble_since_ms,
        CASE WHEN state = 'signed' AND action = 'delegate' THEN 'succeeded' ELSE state END AS state,
        CASE WHEN state = 'signed' AND action = 'delegate' THEN 1 ELSE ended_at_ms END AS ended_at_ms
      FROM outgoing_transactions) o ON (o.subject_kind, o.subject_id) = (CASE c.state`,
    scenario: BY_A_STAKE,
  },
  'taken-back-under-its-transfer': {
    bug: 'energy is taken back while its transfer is on its way',
    file: gateway('db/tables/collections/delegated-energy'),
    find: 'WHERE c.chain = $1 AND c.ended_at_ms IS NOT NULL AND c.return_at_ms IS NOT NULL`;',
    replace: "WHERE c.chain = $1 AND c.state IN ('moving', 'collected') AND c.return_at_ms IS NOT NULL`;",
    scenario: BY_A_STAKE,
  },
};
