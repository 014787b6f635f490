// Limits on sizes: lines of a file and of a function, files of a folder, imports in a row.
import { posix } from 'node:path';
import { type Finding, finding } from '../finding.ts';
import { deepestPath } from '../graph.ts';
import { families, limits } from '../rules.ts';
import { child, identifierName, type PlacedNode, type Source } from '../source.ts';
import type { Tree } from '../tree.ts';

export function checkSizes(tree: Tree): readonly Finding[] {
  return [
    ...tree.sources.flatMap(checkLines),
    ...checkFolders(tree),
    ...families.flatMap((each) => checkDepth(tree, each)),
  ];
}

/** Lines of a text. A line break at the end of the last line makes no difference. */
export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Files of product code by folder, without files of subfolders. */
export function filesByFolder({ sources }: Tree): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path, isTest } of sources) {
    if (isTest || !/^(?:packages|apps)\//.test(path)) continue;
    const folder = `${posix.dirname(path)}/`;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

function checkLines(source: Source): readonly Finding[] {
  const { path, text, isTest, nodes, lineOf } = source;
  const lines = countLines(text);
  const ofFile =
    lines > limits.fileLines
      ? [finding(path, 1, 'size', `has ${lines} lines, more than ${limits.fileLines}`)]
      : [];
  const ofFunctions = nodes.flatMap((placed) => {
    const start = lineOf(placed.node.start);
    const length = lineOf(placed.node.end) - start + 1;
    // A describe block only groups tests, so it is not measured itself; the functions inside it are.
    if (length <= limits.functionLines || !isFunction(placed) || (isTest && isDescribeBlock(placed)))
      return [];
    return [finding(path, start, 'size', `a function of ${length} lines, more than ${limits.functionLines}`)];
  });
  return [...ofFile, ...ofFunctions];
}

function isFunction({ node }: PlacedNode): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type);
}

function isDescribeBlock({ parent }: PlacedNode): boolean {
  let callee = parent?.type === 'CallExpression' ? child(parent, 'callee') : null;
  while (callee !== null && identifierName(callee) === null)
    callee = child(callee, 'callee') ?? child(callee, 'object');
  return identifierName(callee) === 'describe';
}

function checkFolders(tree: Tree): readonly Finding[] {
  const crowded = [...filesByFolder(tree)].filter(([, count]) => count > limits.folderFiles);
  return crowded.map(([folder, count]) =>
    finding(folder, 1, 'size', `has ${count} files of product code, more than ${limits.folderFiles}`),
  );
}

function checkDepth(tree: Tree, family: string): readonly Finding[] {
  const path = deepestPath(tree, family);
  if (path.length - 1 <= limits.familyImports) return [];
  return [finding(family, 1, 'size', `has a path of ${path.length - 1} imports: ${path.join(' → ')}`)];
}
