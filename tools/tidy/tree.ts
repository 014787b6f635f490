// Everything that the checks read, prepared once: sources, rooms, workspaces and the targets of imports.
import { posix } from 'node:path';
import { isSource, type Project, type Workspace, workspacesOf } from './project.ts';
import { readRooms, type Room, roomOf } from './rooms.ts';
import { type Import, parseSource, type Source } from './source.ts';

export interface Tree {
  readonly project: Project;
  readonly sources: readonly Source[];
  readonly rooms: readonly Room[];
  readonly workspaces: readonly Workspace[];
  readonly roomOf: (path: string) => Room | null;
  /** The file, package or Node module that an import names. */
  readonly targetOf: (source: Source, found: Import) => Target;
}

export type Target =
  | { readonly kind: 'node' | 'package'; readonly name: string }
  /** A file of the same package (no workspace), or of another one of ours. */
  | { readonly kind: 'file'; readonly path: string; readonly workspace: Workspace | null };

/** Parses the whole project. */
export function treeOf(project: Project): Tree {
  const workspaces = workspacesOf(project);
  const rooms = readRooms(project.files.get('tools/tidy/rooms.md') ?? '');
  const sources = [...project.files].flatMap(([path, text]) =>
    isSource(path) ? parseSource(path, text) : [],
  );
  return {
    project,
    sources,
    rooms,
    workspaces,
    roomOf: (path) => roomOf(rooms, path),
    targetOf: ({ path }, { specifier }) => resolve(path, specifier, workspaces),
  };
}

function resolve(from: string, specifier: string, workspaces: readonly Workspace[]): Target {
  if (specifier.startsWith('node:')) return { kind: 'node', name: specifier.slice('node:'.length) };
  if (specifier.startsWith('.'))
    return { kind: 'file', path: posix.join(posix.dirname(from), specifier), workspace: null };
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const workspace = workspaces.find(({ manifest }) => manifest.name === name);
  if (workspace === undefined) return { kind: 'package', name };
  return { kind: 'file', path: sourcePath(workspace, `.${specifier.slice(name.length)}`), workspace };
}

/** The source file behind an entry of a package's `exports`. The entry's own target is in dist. */
function sourcePath({ folder, manifest }: Workspace, entry: string): string {
  const all = manifest.exports?.['./*']?.default.replace('*', entry.slice('./'.length));
  const target = manifest.exports?.[entry]?.default ?? all ?? entry;
  return posix.join(folder, target.replace(/^\.\/dist\//, './src/').replace(/\.js$/, '.ts'));
}
