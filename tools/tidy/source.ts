// A parsed source file: its imports, its comments and its syntax nodes.
import { parseSync } from 'oxc-parser';
import { isTestFile } from './project.ts';

/** A node of the syntax tree (ESTree with TypeScript), with only the fields that a generic walk needs. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A node with its parent and the parent's property that holds it. */
export interface PlacedNode {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | null;
  readonly key: string;
}

export interface Import {
  readonly specifier: string;
  /** The imported names, as the other file exports them; `*` for all. */
  readonly names: readonly string[];
  readonly line: number;
}

export interface Comment {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  readonly program: SyntaxNode;
  /** Every node from the outside in. */
  readonly nodes: readonly PlacedNode[];
  readonly imports: readonly Import[];
  readonly comments: readonly Comment[];
  readonly lineOf: (offset: number) => number;
}

/** Parses a file. Throws an Error with the file's path where the text is not TypeScript. */
export function parseSource(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const lineOf = lineFinder(text);
  // The parser's node types are one large union; a generic walk needs only what all of them share.
  const tree = program as unknown as SyntaxNode;
  const nodes: PlacedNode[] = [];
  collect({ node: tree, parent: null, key: '' }, nodes);
  return {
    path,
    text,
    isTest: isTestFile(path),
    program: tree,
    nodes,
    imports: nodes.flatMap(({ node }) => importOf(node, lineOf) ?? []),
    comments: comments.map(({ value, start, end }) => ({
      text: value,
      line: lineOf(start),
      endLine: lineOf(end),
    })),
    lineOf,
  };
}

/** A child node by its property, or null. */
export function child(node: SyntaxNode, key: string): SyntaxNode | null {
  const value = node[key];
  return isNode(value) ? value : null;
}

/** The name of an identifier, or null where the node is something else. */
export function identifierName(node: SyntaxNode | null): string | null {
  return node?.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : null;
}

function collect(placed: PlacedNode, nodes: PlacedNode[]): void {
  nodes.push(placed);
  const { node } = placed;
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) collect({ node: item, parent: node, key }, nodes);
    } else if (isNode(value)) {
      collect({ node: value, parent: node, key }, nodes);
    }
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

const importTypes = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function importOf(node: SyntaxNode, lineOf: (offset: number) => number): Import | null {
  if (!importTypes.has(node.type)) return null;
  const source = child(node, 'source') ?? child(node, 'argument');
  const literal = source?.type === 'TSLiteralType' ? child(source, 'literal') : source;
  const specifier = literal?.['value'];
  if (typeof specifier !== 'string') return null;
  const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : [];
  const names = specifiers.map(
    (item) =>
      identifierName(
        child(item, 'imported') ?? (node.type === 'ImportDeclaration' ? null : child(item, 'local')),
      ) ?? '*',
  );
  return { specifier, names: names.length === 0 ? ['*'] : names, line: lineOf(node.start) };
}

/** Finds the line of an offset, counted from 1. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
