// The dependency rule: what each room may import. Circles between files are left to oxlint.
import { type Finding, finding } from '../finding.ts';
import { isSource, proofs } from '../project.ts';
import { any, type Room } from '../rooms.ts';
import { pureTests, testOnly } from '../rules.ts';
import type { Source } from '../source.ts';
import type { Target, Tree } from '../tree.ts';

/** Every import that the importing room does not allow, and every file without a room. */
export function checkDirection(tree: Tree): readonly Finding[] {
  const known = new Set(tree.sources.map(({ path }) => path));
  return tree.sources.flatMap((source) => {
    const room = tree.roomOf(source.path);
    // Files at the root belong to no package.
    if (room === null && !source.path.includes('/')) return [];
    if (room === null)
      return [finding(source.path, 1, 'direction', 'lies in no room of tools/tidy/rooms.md')];
    return source.imports.flatMap((found) => {
      const target = tree.targetOf(source, found);
      const why = missing(target, known) ?? refused(source, room, target, tree);
      return why === null ? [] : [finding(source.path, found.line, 'direction', why)];
    });
  });
}

function missing(target: Target, known: ReadonlySet<string>): string | null {
  const isMade = target.kind === 'file' && /\/(?:generated|dist)\//.test(target.path);
  if (target.kind !== 'file' || isMade || known.has(target.path) || !isSource(target.path)) return null;
  return `imports ${target.path}, which does not exist`;
}

function refused(source: Source, room: Room, target: Target, tree: Tree): string | null {
  const tests = source.isTest ? pureTests[room.name] : room;
  if (target.kind === 'file') return crossing(source, room, target.path, tree);
  if (tests === undefined) return null;
  const { allowed, name } =
    target.kind === 'node'
      ? { allowed: tests.node, name: `node:${target.name}` }
      : { allowed: tests.packages, name: `the package ${target.name}` };
  return allowed.includes(target.name) || allowed.includes(any)
    ? null
    : `${room.name} must not import ${name}`;
}

function crossing(source: Source, room: Room, path: string, tree: Tree): string | null {
  const target = tree.roomOf(path);
  if (target === null || target.name === room.name) return null;
  const isTestOnly = testOnly.includes(target.name) && !source.isTest && !proofs.includes(room.name);
  if (proofs.includes(target.name) || isTestOnly)
    return `${target.name} must not be imported by ${room.name}`;
  const isOpen = source.isTest ? pureTests[room.name] === undefined : room.rooms.includes(any);
  if (isOpen || room.rooms.includes(target.name)) return null;
  return `${room.name} must not import ${target.name} (${path})`;
}
