// A room: a part of the tree with its own right to import and its own bans.
import type { BanName } from './bans.ts';

export interface Room {
  readonly name: string;
  /** A folder ending in "/", or one file. The longest place that fits a file is its room. */
  readonly place: string;
  /** Other rooms it may import, types included. */
  readonly rooms: readonly string[] | 'any';
  /** Packages from the registry. Tests may use more, see `testRooms`. */
  readonly packages: readonly string[];
  /** Modules of Node, without "node:". */
  readonly node: readonly string[] | 'any';
  readonly bans: readonly BanName[];
}
