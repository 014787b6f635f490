// Reads the rooms of rooms.md and finds the room of a file.
import { type BanName, bans } from './bans.ts';

/** A part of the tree with its own right to import and its own bans. */
export interface Room {
  readonly name: string;
  /** A folder ending in "/", or one file. */
  readonly place: string;
  /** Other rooms it may import, types included. */
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
  /** Modules of Node, without "node:". */
  readonly node: readonly string[];
  readonly bans: readonly BanName[];
}

/** Stands for everything in a row of rooms.md. */
export const any = 'any';

/** The rows of rooms.md. Throws where a row names a ban or a room that does not exist. */
export function readRooms(markdown: string): readonly Room[] {
  const rows = markdown
    .split('\n')
    .filter((line) => /^\| [`*]/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const sets = new Map(rows.map(([, key = '', members = '']) => [key, members]));
  const words = (cell = '') =>
    cell
      .replaceAll(/\*\*[^*]+\*\*/g, (key) => sets.get(key) ?? key)
      .split(', ')
      .filter((word) => word !== '');
  const rooms = rows
    .filter(([, key = '']) => key.startsWith('`'))
    .map(([, key = '', may, packages, node, never]) => {
      const place = key.slice(1, -1);
      const name = place.replace(/^packages\/|src\/|\/$|\.ts$/g, '').replace(/\/$/, '');
      const lists = { rooms: words(may), packages: words(packages), node: words(node) };
      return { name, place, ...lists, bans: words(never).map(banOf) };
    });
  const names = new Set([any, ...rooms.map(({ name }) => name)]);
  const unknown = rooms.flatMap((room) => room.rooms).find((name) => !names.has(name));
  if (unknown !== undefined) throw new Error(`a row of rooms.md names ${unknown}, which has none`);
  return rooms;
}

function banOf(word: string): BanName {
  if (!(word in bans)) throw new Error(`a row of rooms.md names the ban ${word}, which is not in bans.ts`);
  // The check above shows that the word is a key of that record.
  return word as BanName;
}

/** The room with the longest place that fits, or null where no row has the file. */
export function roomOf(rooms: readonly Room[], path: string): Room | null {
  // A file may be a room of its own. Its test belongs to that room.
  const tested = path.replace(/\.test\.ts$/, '.ts');
  const fitting = rooms.filter(({ place }) =>
    place.endsWith('/') ? path.startsWith(place) : tested === place,
  );
  return fitting.sort((a, b) => b.place.length - a.place.length)[0] ?? null;
}
