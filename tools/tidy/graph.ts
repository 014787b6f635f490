// The graph of imports between files, types included.
import type { Tree } from './tree.ts';

/** The files of the longest path of imports below `folder`, tests left out. */
export function deepestPath(tree: Tree, folder: string): readonly string[] {
  const edges = importsWithin(tree, folder);
  const known = new Map<string, readonly string[]>();
  const from = (file: string, above: readonly string[]): readonly string[] => {
    const before = known.get(file);
    if (before !== undefined) return before;
    // A circle has no longest path, so it is cut where it closes. oxlint reports it.
    const below = (edges.get(file) ?? [])
      .filter((next) => next !== file && !above.includes(next))
      .map((next) => from(next, [...above, file]));
    const path = [file, ...longest(below)];
    known.set(file, path);
    return path;
  };
  return longest([...edges.keys()].map((file) => from(file, [])));
}

function longest(paths: readonly (readonly string[])[]): readonly string[] {
  return paths.reduce((best, path) => (path.length > best.length ? path : best), []);
}

function importsWithin(tree: Tree, folder: string): ReadonlyMap<string, readonly string[]> {
  const inside = tree.sources.filter(({ path, isTest }) => !isTest && path.startsWith(folder));
  return new Map(
    inside.map((source) => {
      const targets = source.imports.map((found) => tree.targetOf(source, found));
      const files = targets.flatMap((target) => (target.kind === 'file' ? target.path : []));
      return [source.path, files.filter((path) => path.startsWith(folder))];
    }),
  );
}
