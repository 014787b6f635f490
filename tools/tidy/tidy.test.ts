// The whole tree keeps the rules of the house.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeFinding } from './finding.ts';
import { readProject } from './project.ts';
import { any, readRooms, type Room } from './rooms.ts';
import { banExceptions } from './rules.ts';
import { tidy } from './tidy.ts';

const project = readProject(fileURLToPath(new URL('../..', import.meta.url)));

it('finds nothing that breaks a rule', () => {
  expect(project.files.size).toBeGreaterThan(100);
  expect(tidy(project).map(describeFinding)).toEqual([]);
});

it('has no circle in the table of rooms, so that none can arise', () => {
  const rooms = readRooms(project.files.get('tools/tidy/rooms.md') ?? '');
  expect(rooms.length).toBeGreaterThan(20);
  const clear = new Set<string>();
  const below = (room: Room, above: readonly string[]): void => {
    expect(above, 'rooms that may import each other').not.toContain(room.name);
    if (clear.has(room.name)) return;
    const allowed = rooms.filter(({ name }) => room.rooms.includes(name) && name !== room.name);
    for (const next of allowed) below(next, [...above, room.name]);
    clear.add(room.name);
  };
  for (const room of rooms.filter((each) => !each.rooms.includes(any))) below(room, []);
});

it('has no more exceptions than before', () => {
  expect(banExceptions.length).toBeLessThanOrEqual(5);
});
