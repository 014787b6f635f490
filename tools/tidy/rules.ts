// The dependency rule as data: every room, what it may import, and what must never stand in it.
//
// One sentence: roles own time and I/O, flows own one transaction, core owns the decision.
import type { BanName } from './bans.ts';
import { gatewayRooms } from './gateway-rooms.ts';
import type { Room } from './room.ts';

/** Rooms that exist for tests only: the product must not import them. */
export const testOnly: readonly string[] = ['testkit', 'gateway/test'];

/** Workspaces that put the product to the proof: they may import everything, and nothing is built from them. */
export const proofs: readonly string[] = ['sim', 'bench', 'chaos', 'fuzz'];

export const rooms: readonly Room[] = [
  {
    name: 'core',
    place: 'packages/core/src/',
    rooms: [],
    packages: [],
    node: [],
    bans: ['clock', 'any-date', 'chance', 'timers', 'process', 'network', 'async', 'sql'],
  },
  {
    name: 'contract',
    place: 'packages/contract/src/',
    rooms: [],
    packages: ['typebox'],
    node: ['crypto'],
    bans: ['clock', 'chance', 'timers', 'process', 'network', 'sql'],
  },
  {
    name: 'signer',
    place: 'packages/signer/src/',
    rooms: ['core'],
    packages: ['@noble/hashes', '@scure/bip32', '@scure/bip39'],
    node: 'any',
    bans: ['network', 'http', 'sql'],
  },
  { name: 'signer', place: 'packages/signer/bin/', rooms: [], packages: [], node: [], bans: [] },
  {
    name: 'sdk',
    place: 'packages/sdk/src/',
    rooms: ['contract'],
    packages: [],
    node: ['crypto', 'http'],
    bans: ['sql'],
  },
  {
    name: 'sdk/generate',
    place: 'packages/sdk/generate/',
    rooms: ['contract'],
    packages: ['json-schema-to-typescript'],
    node: 'any',
    bans: [],
  },
  {
    name: 'devnet',
    place: 'packages/devnet/src/',
    rooms: ['tron-dev'],
    packages: ['pg', 'viem', 'solc'],
    node: 'any',
    bans: [],
  },
  {
    name: 'devnet/scripts',
    place: 'packages/devnet/scripts/',
    rooms: ['devnet'],
    packages: ['solc'],
    node: 'any',
    bans: [],
  },
  {
    name: 'tron-dev',
    place: 'packages/tron-dev/src/',
    rooms: [],
    packages: [
      '@bufbuild/protobuf',
      '@ethereumjs/common',
      '@ethereumjs/evm',
      '@ethereumjs/util',
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
      '@scure/bip32',
      '@scure/bip39',
      'immutable',
      'lossless-json',
      // The test chain that TronWeb is driven against; only tests import it.
      'tronweb',
      'viem',
    ],
    node: 'any',
    bans: [],
  },
  { name: 'tron-dev', place: 'packages/tron-dev/bin/', rooms: [], packages: [], node: [], bans: [] },
  {
    name: 'tron-dev/scripts',
    place: 'packages/tron-dev/scripts/',
    rooms: ['tron-dev'],
    packages: ['solc'],
    node: 'any',
    bans: [],
  },
  // Fixtures, drivers and the database of tests; only tests, the simulator and what else proves import them.
  { name: 'testkit', place: 'packages/testkit/src/', rooms: 'any', packages: [], node: 'any', bans: [] },
  { name: 'apps/cli', place: 'apps/cli/bin/', rooms: [], packages: [], node: [], bans: [] },
  {
    name: 'apps/cli',
    place: 'apps/cli/src/',
    rooms: 'any',
    packages: ['commander', 'smol-toml'],
    node: 'any',
    bans: ['sql'],
  },
  { name: 'sim', place: 'sim/src/', rooms: 'any', packages: ['pg'], node: 'any', bans: [] },
  {
    name: 'bench',
    place: 'bench/src/',
    rooms: 'any',
    packages: ['@scure/bip32', 'pg', 'smol-toml'],
    node: 'any',
    bans: [],
  },
  {
    name: 'chaos',
    place: 'chaos/src/',
    rooms: 'any',
    packages: ['@scure/base', 'pg', 'smol-toml', 'viem'],
    node: 'any',
    bans: [],
  },
  {
    name: 'fuzz',
    place: 'fuzz/src/',
    rooms: 'any',
    packages: ['fast-check', 'typebox'],
    node: 'any',
    bans: [],
  },
  { name: 'tools', place: 'tools/', rooms: [], packages: ['vite'], node: 'any', bans: [] },
  ...gatewayRooms,
];

/**
 * What tests of a room may import beside their own room. Tests of the other rooms may import any room that their
 * manifest names: they have to put things together.
 */
export const testRooms: Readonly<
  Record<string, { readonly packages: readonly string[]; readonly node: readonly string[] }>
> = {
  core: { packages: ['vitest', 'fast-check'], node: [] },
};

/** Where something banned is right nevertheless; each line says why, and a line that is not needed is a finding. */
export const banExceptions: readonly {
  readonly file: string;
  readonly ban: BanName;
  readonly why: string;
}[] = [
  { file: 'packages/gateway/src/runtime/world.ts', ban: 'clock', why: 'it is the clock' },
  { file: 'packages/gateway/src/runtime/world.ts', ban: 'chance', why: 'it is the source of randomness' },
  { file: 'packages/gateway/src/runtime/world.ts', ban: 'timers', why: 'it is the one who sleeps' },
  {
    file: 'packages/gateway/src/roles/notifier/http/deadline.ts',
    ban: 'timers',
    why: 'a deadline on real sockets, which the simulator replaces together with its merchants',
  },
  {
    file: 'packages/gateway/src/keys/signer/socket.ts',
    ban: 'timers',
    why: 'a deadline on a real socket, behind a port that the simulator replaces',
  },
];

/** Where the units of an amount may be taken out or held by themselves. */
export const unitsPlaces: readonly { readonly place: string; readonly why: string }[] = [
  { place: 'apps/cli/src/', why: 'plays the payer and the faucet of the local demo, and books nothing' },
  { place: 'packages/core/src/money/', why: 'it is the room of amounts' },
  { place: 'packages/core/src/order/order.ts', why: 'compares with the most that a chain can count' },
  { place: 'packages/gateway/src/db/', why: 'stores them' },
  { place: 'packages/gateway/src/chains/', why: 'decodes them' },
  {
    place: 'packages/gateway/src/runtime/metrics.ts',
    why: 'shows a difference in a gauge, which is a floating-point number',
  },
  { place: 'packages/gateway/src/roles/maintenance/check-books.ts', why: 'writes a difference into the log' },
];

/** Packages whose code holds amounts, so that `.units` in it means the units of one. */
export const amountPackages: readonly string[] = [
  'packages/core/src/',
  'packages/gateway/src/',
  'packages/signer/src/',
  'apps/cli/src/',
];

/** Sizes in lines. */
export const sizes = { fileLines: 400, functionLines: 60 } as const;

/**
 * Files and functions over the limit, with their size today: "path" or "path:function". Only ever made shorter;
 * an entry that is larger than what it names is a finding, and the number of entries is pinned by a test.
 */
export const oversized: Readonly<Record<string, number>> = {};

/** The entries of what others install; any other file that only passes on is a barrel. */
export const entryFiles: readonly string[] = ['packages/sdk/src/webhooks.ts'];

/** Names that say nothing; parts of file and folder names, and of what is declared. */
export const emptyNames: readonly string[] = [
  'util',
  'utils',
  'helper',
  'helpers',
  'manager',
  'service',
  'services',
];
/** Only in file and folder names: as an adjective it may be the right word, as in a common ancestor. */
export const emptyFileNames: readonly string[] = [...emptyNames, 'common', 'misc', 'shared'];

/** Licences that what we ship may have. */
export const licences: readonly string[] = [
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MPL-2.0',
  'PostgreSQL',
  '0BSD',
  'BlueOak-1.0.0',
];
