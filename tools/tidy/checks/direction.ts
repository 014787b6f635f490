// The dependency rule: what each room imports, and that no rooms lean on each other in a circle.
import type { Finding } from '../finding.ts';
import { isSource, type Workspace } from '../project.ts';
import { resolveImport, roomOf } from '../rooms.ts';
import type { Room } from '../room.ts';
import { proofs, testOnly, testRooms } from '../rules.ts';
import type { Import, Source } from '../source.ts';

/** Every import that the importing room does not allow, every file without a room, every circle of rooms. */
export function checkDirection(
  sources: readonly Source[],
  workspaces: readonly Workspace[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const edges = new Map<string, Map<string, Finding>>();
  const known = new Set(sources.map(({ path }) => path));
  for (const source of sources) {
    const room = roomOf(source.path);
    if (room === null) {
      if (!isRoot(source.path)) findings.push(finding(source, 1, 'lies in no room of tools/tidy/rules.ts'));
      continue;
    }
    for (const found of source.imports) {
      const target = resolveImport(source.path, found.specifier, workspaces);
      if (target.kind !== 'file') {
        const why = refuseOutside(source, room, target);
        if (why !== null) findings.push(finding(source, found.line, why));
        continue;
      }
      if (!known.has(target.path) && !isOutsideSources(target.path)) {
        findings.push(finding(source, found.line, `imports ${target.path}, which does not exist`));
      }
      const problem = crossing(source, room, found, target.path);
      if (problem !== null) findings.push(problem);
      if (!source.isTest) addEdge(edges, source, room, found, target.path);
    }
  }
  return [...findings, ...circles(edges)];
}

/** Files at the root belong to no package; generated ones are checked by their own tests. */
function isRoot(path: string): boolean {
  return !path.includes('/');
}

function isOutsideSources(path: string): boolean {
  return path.includes('/generated/') || !isSource(path) || path.includes('/dist/');
}

function refuseOutside(
  source: Source,
  room: Room,
  target: { readonly kind: 'node' | 'package'; readonly name: string },
): string | null {
  const allowed = source.isTest ? testRooms[room.name] : room;
  if (allowed === undefined) return null;
  if (target.kind === 'node') {
    const { node } = allowed;
    const isAllowed = node === 'any' || node.includes(target.name);
    return isAllowed ? null : `${room.name} must not import node:${target.name}`;
  }
  return allowed.packages.includes(target.name)
    ? null
    : `${room.name} must not import the package ${target.name}`;
}

function crossing(source: Source, room: Room, { line }: Import, path: string): Finding | null {
  const target = roomOf(path);
  if (target === null || target.name === room.name) return null;
  const isOpen = source.isTest ? testRooms[room.name] === undefined : room.rooms === 'any';
  const isForbiddenToAll =
    isProof(target) || (testOnly.includes(target.name) && !source.isTest && !isProof(room));
  if (isForbiddenToAll) return finding(source, line, `${target.name} must not be imported by ${room.name}`);
  if (isOpen || room.rooms.includes(target.name)) return null;
  return finding(source, line, `${room.name} must not import ${target.name} (${path})`);
}

/** The rooms that put the product to the proof and that nothing is built from. */
function isProof({ name }: Room): boolean {
  return proofs.includes(name);
}

function addEdge(
  edges: Map<string, Map<string, Finding>>,
  source: Source,
  room: Room,
  { line }: Import,
  path: string,
): void {
  const target = roomOf(path);
  if (target === null || target.name === room.name) return;
  const targets = edges.get(room.name) ?? new Map<string, Finding>();
  if (!targets.has(target.name)) {
    targets.set(target.name, {
      file: source.path,
      line,
      rule: 'cycle',
      message: `${room.name} imports ${target.name}`,
    });
  }
  edges.set(room.name, targets);
}

/** One finding for each circle, at an import that closes it. */
function circles(edges: ReadonlyMap<string, ReadonlyMap<string, Finding>>): readonly Finding[] {
  const findings: Finding[] = [];
  const done = new Set<string>();
  const visit = (room: string, path: readonly string[]) => {
    for (const [target, at] of edges.get(room) ?? []) {
      const start = path.indexOf(target);
      if (start !== -1) {
        const circle = [...path.slice(start), target].join(' → ');
        findings.push({ ...at, message: `rooms import each other in a circle: ${circle}` });
      } else if (!done.has(target)) {
        visit(target, [...path, target]);
      }
    }
    done.add(room);
  };
  for (const room of edges.keys()) if (!done.has(room)) visit(room, [room]);
  return findings;
}

function finding(source: Source, line: number, message: string): Finding {
  return { file: source.path, line, rule: 'direction', message };
}
