// The rooms of the gateway, which are folders: their direction is this table and the test that reads it.
import type { BanName } from './bans.ts';
import type { Room } from './room.ts';

const gateway = 'packages/gateway/src/';
/** What no part of the gateway does by itself, because World and the configuration hand it in. */
const world: readonly BanName[] = ['clock', 'chance', 'timers', 'environment'];
/** The rooms that a role of the gateway may know. */
const rolePorts = [
  'core',
  'gateway/flows',
  'gateway/db/postgres',
  'gateway/db/tables',
  'gateway/db/reports',
  'gateway/db/partitions',
  'gateway/chains/port',
  'gateway/rates/port',
  'gateway/keys/signer/port',
  'gateway/runtime/world',
  'gateway/runtime/outage',
  'gateway/runtime/ids',
  'gateway/runtime/log',
  'gateway/keys/app-keys',
  'gateway/runtime/under-lease',
];

export const gatewayRooms: readonly Room[] = [
  // The composition root: the only place that sees everything, and no place for logic.
  {
    name: 'gateway/main',
    place: `${gateway}main.ts`,
    rooms: 'any',
    packages: [],
    node: 'any',
    bans: ['sql'],
  },
  {
    name: 'gateway/compose',
    place: `${gateway}compose/`,
    rooms: 'any',
    packages: [],
    node: ['events', 'net', 'os'],
    bans: [...world, 'process', 'network', 'sql'],
  },
  {
    name: 'gateway/config',
    place: `${gateway}config/`,
    // An operator writes contracts in any form of their family.
    rooms: [
      'core',
      'gateway/chains/address-schemes',
      'gateway/rates/assets',
      'gateway/db/postgres/database-url',
    ],
    packages: ['smol-toml', 'typebox'],
    node: ['fs', 'path'],
    bans: ['clock', 'chance', 'timers', 'network', 'sql'],
  },
  file('runtime/world', [], { node: ['crypto', 'timers/promises'] }),
  file('runtime/outage', []),
  file('db/postgres/database-url', []),
  file('runtime/ids', ['core', 'gateway/runtime/world']),
  file(
    'keys/app-keys',
    ['core', 'gateway/db/postgres', 'gateway/db/tables', 'gateway/db/reports', 'gateway/runtime/world'],
    { node: ['crypto'] },
  ),
  file('runtime/log', ['core', 'gateway/runtime/world'], { packages: ['pino'] }),
  // Waiting for a lease is the same whatever is done under it.
  file('runtime/under-lease', [
    'gateway/flows',
    'gateway/db/postgres',
    'gateway/db/tables',
    'gateway/db/reports',
    'gateway/runtime/world',
    'gateway/runtime/outage',
    'gateway/runtime/log',
  ]),
  file('compose/currency-check', [
    'core',
    'gateway/chains/port',
    'gateway/runtime/log',
    'gateway/runtime/outage',
    'gateway/runtime/world',
  ]),
  // It knows the types of what each part reports, and no part but the operator's port knows it.
  file(
    'runtime/metrics',
    [
      'core',
      'gateway/db/postgres',
      'gateway/db/tables',
      'gateway/db/reports',
      'gateway/chains/endpoint',
      'gateway/rates',
      'gateway/roles/api',
      'gateway/roles/maintenance',
      'gateway/roles/watcher',
    ],
    { packages: ['prom-client'] },
  ),
  // Connections, transactions and the schema, whatever is in the tables.
  {
    name: 'gateway/db/postgres',
    place: `${gateway}db/postgres/`,
    rooms: ['core', 'gateway/db/postgres/database-url', 'gateway/runtime/outage'],
    packages: ['pg'],
    node: ['fs', 'fs/promises', 'path', 'url', 'crypto'],
    bans: [...world, 'network'],
  },
  database('tables', ['core', 'gateway/db/postgres'], ['crypto']),
  database('partitions', ['core', 'gateway/db/postgres', 'gateway/runtime/ids'], []),
  // What is asked across the tables: whether the books agree, what waits, whether work can be done.
  database('reports', ['core', 'gateway/db/postgres', 'gateway/db/tables', 'gateway/runtime/outage'], []),
  {
    name: 'gateway/flows',
    place: `${gateway}flows/`,
    rooms: ['core', 'gateway/db/postgres', 'gateway/db/tables', 'gateway/db/partitions'],
    packages: [],
    node: [],
    bans: [...world, 'process', 'network', 'pool', 'sql'],
  },
  port('chains'),
  // What roles may ask of a chain, and what a family implements: types alone.
  {
    name: 'gateway/chains/port',
    place: `${gateway}chains/port/`,
    rooms: ['core'],
    packages: [],
    node: [],
    bans: [...world, 'network', 'sql'],
  },
  // What any provider with a JSON interface is: reached, bounded, named, limited in rate.
  {
    name: 'gateway/chains/rpc',
    place: `${gateway}chains/rpc/`,
    rooms: ['core', 'gateway/chains/port', 'gateway/runtime/world', 'gateway/runtime/outage'],
    packages: [],
    node: ['buffer'],
    bans: [...world, 'sql'],
  },
  // The one rule over readers of single providers; it knows no family.
  {
    name: 'gateway/chains/quorum',
    place: `${gateway}chains/quorum/`,
    rooms: ['core', 'gateway/chains/port', 'gateway/runtime/world', 'gateway/runtime/outage'],
    packages: [],
    node: [],
    bans: [...world, 'network', 'sql'],
  },
  port('rates'),
  port('keys/signer'),
  // The one place that knows every family, so that a new one is one line.
  {
    name: 'gateway/chains/families',
    place: `${gateway}chains/families.ts`,
    rooms: [
      'core',
      'gateway/chains/port',
      'gateway/chains/evm',
      'gateway/chains/tron',
      'gateway/runtime/world',
    ],
    packages: [],
    node: [],
    bans: [...world, 'sql'],
  },
  {
    name: 'gateway/chains/address-schemes',
    place: `${gateway}chains/address-schemes.ts`,
    rooms: ['core', 'gateway/chains/port', 'gateway/chains/evm', 'gateway/chains/tron'],
    packages: [],
    node: [],
    bans: [...world, 'network', 'sql'],
  },
  // What a node is like whatever its chain: reached, bounded, believed, rested, outvoted.
  {
    name: 'gateway/chains/endpoint',
    place: `${gateway}chains/endpoint/`,
    rooms: ['core', 'gateway/chains/port', 'gateway/runtime/world', 'gateway/runtime/outage'],
    packages: [],
    node: ['buffer'],
    bans: [...world, 'sql'],
  },
  // Addresses of the chains that kept Ethereum's curve and hash.
  {
    name: 'gateway/chains/keys',
    place: `${gateway}chains/keys/`,
    rooms: ['core'],
    packages: ['@scure/bip32', 'hash-wasm', 'tiny-secp256k1'],
    node: ['crypto'],
    bans: [...world, 'network', 'sql'],
  },
  family('evm', ['@ethereumjs/mpt', '@ethereumjs/rlp'], []),
  family('tron', ['@scure/base', 'lossless-json'], ['crypto']),
  family('fake', [], [], ['gateway/chains/quorum']),
  // What the sources call each coin, which an operator names too.
  {
    name: 'gateway/rates/assets',
    place: `${gateway}rates/assets.ts`,
    rooms: [],
    packages: [],
    node: [],
    bans: [...world, 'network', 'sql'],
  },
  {
    name: 'gateway/rates',
    place: `${gateway}rates/`,
    rooms: [
      'core',
      'gateway/rates/port',
      'gateway/rates/assets',
      'gateway/runtime/world',
      'gateway/runtime/outage',
    ],
    packages: ['lossless-json'],
    node: [],
    bans: [...world, 'sql'],
  },
  {
    name: 'gateway/keys/signer',
    place: `${gateway}keys/signer/`,
    rooms: ['core', 'gateway/keys/signer/port', 'gateway/runtime/world', 'gateway/runtime/outage'],
    packages: ['@scure/bip32'],
    node: ['fs/promises', 'net', 'path'],
    bans: [...world, 'sql'],
  },
  role('api', ['contract'], ['fastify', 'ipaddr.js', 'typebox'], ['crypto', 'http', 'net']),
  role('notifier', ['contract'], ['ipaddr.js'], ['crypto', 'dns/promises', 'http', 'https', 'net', 'tls']),
  role('watcher', [], [], []),
  role('maintenance', [], [], []),
  role('operations', ['gateway/runtime/metrics'], [], ['http', 'net']),
  // Tests of the gateway as a whole.
  {
    name: 'gateway/test',
    place: 'packages/gateway/test/',
    rooms: 'any',
    packages: [],
    node: 'any',
    bans: [],
  },
];

/** A file of the gateway that is a room of its own. */
function file(name: string, allowed: readonly string[], more: Partial<Room> = {}): Room {
  return {
    name: `gateway/${name}`,
    place: `${gateway}${name}.ts`,
    rooms: allowed,
    packages: [],
    node: [],
    bans: [...world, 'network', 'sql'],
    ...more,
  };
}

/** What the rest of the gateway sees of an adapter: types, and nothing that could do anything. */
function port(room: string): Room {
  return {
    name: `gateway/${room}/port`,
    place: `${gateway}${room}/port.ts`,
    rooms: ['core'],
    packages: [],
    node: [],
    bans: [...world, 'network', 'sql'],
  };
}

/** A chain family: its own libraries, and neither the database nor another family. */
function family(
  name: string,
  packages: readonly string[],
  node: readonly string[],
  more: readonly string[] = [],
): Room {
  return {
    name: `gateway/chains/${name}`,
    place: `${gateway}chains/${name}/`,
    rooms: [
      'core',
      'gateway/chains/port',
      'gateway/chains/endpoint',
      'gateway/chains/rpc',
      'gateway/chains/keys',
      'gateway/runtime/world',
      'gateway/runtime/outage',
      ...more,
    ],
    packages,
    node,
    bans: [...world, 'sql'],
  };
}

/** A room of statements: rows in, rows out. */
function database(name: string, allowed: readonly string[], node: readonly string[]): Room {
  return {
    name: `gateway/db/${name}`,
    place: `${gateway}db/${name}/`,
    rooms: allowed,
    packages: [],
    node,
    bans: [...world, 'network', 'pool'],
  };
}

/** A role: pace and I/O through ports, no SQL, no other role. */
function role(
  name: string,
  allowed: readonly string[],
  packages: readonly string[],
  node: readonly string[],
): Room {
  return {
    name: `gateway/roles/${name}`,
    place: `${gateway}roles/${name}/`,
    rooms: [...rolePorts, ...allowed],
    packages,
    node,
    bans: [...world, 'process', 'sql', 'network', 'pool'],
  };
}
