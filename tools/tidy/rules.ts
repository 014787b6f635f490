// The rules of the checks, as data. The dependency rule itself is in rooms.md.
import type { BanName } from './bans.ts';

/** Rooms that exist for tests only: the product must not import them. */
export const testOnly: readonly string[] = ['testkit', 'gateway/test'];

/** What tests of a pure room may import. Tests of all other rooms may import whatever their manifest names. */
export const pureTests: Readonly<
  Record<string, { readonly packages: readonly string[]; readonly node: readonly string[] }>
> = {
  core: { packages: ['vitest', 'fast-check'], node: [] },
};

/** Where something banned is right nevertheless. An exception that is no longer needed is a finding. */
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
    file: 'packages/gateway/src/keys/signer/ask-signer.ts',
    ban: 'timers',
    why: 'a deadline on a real socket, behind a port that the simulator replaces',
  },
];

/** Where the units of an amount may be used without their currency. */
export const unitsPlaces: readonly { readonly place: string; readonly why: string }[] = [
  { place: 'apps/cli/src/', why: 'plays the payer and the faucet of the local demo, and books nothing' },
  { place: 'packages/core/src/money/', why: 'it is the room of amounts' },
  { place: 'packages/core/src/order/order.ts', why: 'compares with the most that a chain can count' },
  { place: 'packages/core/src/signing/approved-payout.ts', why: 'what is signed is written in base units' },
  { place: 'packages/core/src/outgoing/', why: 'an intent holds them, and gas has a price by the unit' },
  { place: 'packages/gateway/src/db/', why: 'stores them' },
  { place: 'packages/gateway/src/chains/', why: 'decodes them' },
  { place: 'packages/gateway/src/flows/checks/settle-audit.ts', why: 'sums up what postings come to' },
  {
    place: 'packages/gateway/src/runtime/metrics/',
    why: 'shows a difference in a gauge, a floating-point number',
  },
];

/** Packages whose code has amounts, so that `.units` in it means the units of an amount. */
export const amountPackages: readonly string[] = [
  'packages/core/src/',
  'packages/gateway/src/',
  'packages/signer/src/',
  'apps/cli/src/',
  'apps/recover/src/',
];

/** The most lines of a file and of a function, files of product code in a folder, imports in a row inside a family. */
export const limits = { fileLines: 400, functionLines: 60, folderFiles: 15, familyImports: 9 } as const;

/** Folders of the chain families, in which the longest path of imports is measured. */
export const families: readonly string[] = ['evm', 'tron'].map(
  (name) => `packages/gateway/src/chains/${name}/`,
);

/** Entry files of packages that others install. Any other file that only re-exports is a barrel. */
export const entryFiles: readonly string[] = ['packages/sdk/src/webhooks.ts'];

/** Names that say nothing. They must not be part of the name of a file, a folder or a declaration. */
export const emptyNames: readonly string[] = [
  'util',
  'utils',
  'helper',
  'helpers',
  'manager',
  'service',
  'services',
];
/** The same for files and folders. The additional words may be right in a declaration, as in "common ancestor". */
export const emptyFileNames: readonly string[] = [...emptyNames, 'common', 'misc', 'shared'];

/** Licences that what we ship may have. */
export const licences: readonly string[] = [
  'MIT',
  // MIT without the condition that its text is passed on.
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MPL-2.0',
  'PostgreSQL',
  '0BSD',
  'BlueOak-1.0.0',
];
