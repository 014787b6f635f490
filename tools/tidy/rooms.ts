// Which room a file lies in, and what an import leads to.
import { posix } from 'node:path';
import type { Workspace } from './project.ts';
import type { Room } from './room.ts';
import { rooms } from './rules.ts';

export type Target =
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'package'; readonly name: string }
  /** A file of the same package, or of another one of ours. */
  | { readonly kind: 'file'; readonly path: string; readonly workspace: Workspace | null };

/** The room with the longest place that fits, or null where no room was given to the file. */
export function roomOf(path: string): Room | null {
  // The test of a file that is a room of its own lies in that room.
  const tested = path.replace(/\.test\.ts$/, '.ts');
  let found: Room | null = null;
  for (const room of rooms) {
    const fits = room.place.endsWith('/') ? path.startsWith(room.place) : tested === room.place;
    if (fits && (found === null || room.place.length > found.place.length)) found = room;
  }
  return found;
}

/** What `specifier` means in the file at `from`. */
export function resolveImport(from: string, specifier: string, workspaces: readonly Workspace[]): Target {
  if (specifier.startsWith('node:')) return { kind: 'node', name: specifier.slice('node:'.length) };
  if (specifier.startsWith('.')) {
    return { kind: 'file', path: posix.join(posix.dirname(from), specifier), workspace: null };
  }
  const name = packageName(specifier);
  const workspace = workspaces.find((candidate) => candidate.manifest.name === name);
  if (workspace === undefined) return { kind: 'package', name };
  return { kind: 'file', path: sourcePath(workspace, `.${specifier.slice(name.length)}`), workspace };
}

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The source behind an entry of a package's `exports`, whose targets lie in dist. */
function sourcePath({ folder, manifest }: Workspace, entry: string): string {
  const exact = targetText(manifest.exports?.[entry]);
  const pattern = targetText(manifest.exports?.['./*'])?.replace('*', entry.slice('./'.length));
  const target = exact ?? pattern ?? entry;
  return posix.join(folder, target.replace(/^\.\/dist\//, './src/').replace(/\.js$/, '.ts'));
}

function targetText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const isConditions = typeof value === 'object' && value !== null && 'default' in value;
  return isConditions && typeof value.default === 'string' ? value.default : null;
}
