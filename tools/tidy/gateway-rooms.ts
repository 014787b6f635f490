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
  'gateway/store',
  'gateway/chains/port',
  'gateway/rates/port',
  'gateway/signer/port',
  'gateway/world',
  'gateway/outage',
  'gateway/ids',
  'gateway/log',
  'gateway/app-keys',
  'gateway/under-lease',
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
    name: 'gateway/main',
    place: `${gateway}gateway.ts`,
    rooms: 'any',
    packages: [],
    node: ['events', 'net', 'os'],
    bans: [...world, 'process', 'network', 'sql'],
  },
  {
    name: 'gateway/config',
    place: `${gateway}config/`,
    // An operator writes contracts in any form of their family.
    rooms: ['core', 'gateway/chains/address-schemes', 'gateway/rates/assets', 'gateway/database-url'],
    packages: ['smol-toml', 'typebox'],
    node: ['fs', 'path'],
    bans: ['clock', 'chance', 'timers', 'network', 'sql'],
  },
  file('world', [], { node: ['crypto', 'timers/promises'] }),
  file('outage', []),
  file('database-url', []),
  file('ids', ['core', 'gateway/world']),
  file('app-keys', ['core', 'gateway/store', 'gateway/world'], { node: ['crypto'] }),
  file('log', ['core', 'gateway/world'], { packages: ['pino'] }),
  // Waiting for a lease is the same whatever is done under it.
  file('under-lease', ['gateway/flows', 'gateway/store', 'gateway/world', 'gateway/outage', 'gateway/log']),
  file('currency-check', ['core', 'gateway/chains/port', 'gateway/log', 'gateway/outage', 'gateway/world']),
  // It knows the types of what each part reports, and no part but the operator's port knows it.
  file(
    'metrics',
    [
      'core',
      'gateway/store',
      'gateway/chains/endpoint',
      'gateway/rates',
      'gateway/roles/api',
      'gateway/roles/clerk',
      'gateway/roles/watcher',
    ],
    { packages: ['prom-client'] },
  ),
  {
    name: 'gateway/store',
    place: `${gateway}store/`,
    rooms: ['core', 'gateway/database-url', 'gateway/outage'],
    packages: ['pg'],
    node: ['fs', 'fs/promises', 'path', 'url', 'crypto'],
    bans: [...world, 'network'],
  },
  {
    name: 'gateway/flows',
    place: `${gateway}flows/`,
    rooms: ['core', 'gateway/store'],
    packages: [],
    node: [],
    bans: [...world, 'process', 'network', 'pool'],
  },
  port('chains'),
  port('rates'),
  port('signer'),
  // The one place that knows every family, so that a new one is one line.
  {
    name: 'gateway/chains/families',
    place: `${gateway}chains/families.ts`,
    rooms: ['core', 'gateway/chains/port', 'gateway/chains/evm', 'gateway/chains/tron', 'gateway/world'],
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
    rooms: ['core', 'gateway/chains/port', 'gateway/world', 'gateway/outage'],
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
  family('fake', [], []),
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
    rooms: ['core', 'gateway/rates/port', 'gateway/rates/assets', 'gateway/world', 'gateway/outage'],
    packages: ['lossless-json'],
    node: [],
    bans: [...world, 'sql'],
  },
  {
    name: 'gateway/signer',
    place: `${gateway}signer/`,
    rooms: ['core', 'gateway/signer/port', 'gateway/world', 'gateway/outage'],
    packages: ['@scure/bip32'],
    node: ['fs/promises', 'net', 'path'],
    bans: [...world, 'sql'],
  },
  role('api', ['contract'], ['fastify', 'ipaddr.js', 'typebox'], ['crypto', 'http', 'net']),
  role('notifier', ['contract'], ['ipaddr.js'], ['crypto', 'dns/promises', 'http', 'https', 'net', 'tls']),
  role('watcher', [], [], []),
  role('clerk', [], [], []),
  role('operations', ['gateway/metrics'], [], ['http', 'net']),
  // Fixtures, drivers and the database of tests; only tests, the simulator and the benches import them.
  testing('testing/'),
  testing('chains/testing/'),
  testing('rates/testing/'),
  testing('system/'),
  testing('chains/conformance.ts'),
];

/** A file at the top of the gateway, which is a room of its own. */
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
function family(name: string, packages: readonly string[], node: readonly string[]): Room {
  return {
    name: `gateway/chains/${name}`,
    place: `${gateway}chains/${name}/`,
    rooms: [
      'core',
      'gateway/chains/port',
      'gateway/chains/endpoint',
      'gateway/chains/keys',
      'gateway/world',
      'gateway/outage',
    ],
    packages,
    node,
    bans: [...world, 'sql'],
  };
}

/** What exists for tests only. */
function testing(place: string): Room {
  return {
    name: 'gateway/testing',
    place: `${gateway}${place}`,
    rooms: 'any',
    packages: [],
    node: 'any',
    bans: [],
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
