// Small by limit, not by hope: lines of a file and of a function, with a list that can only shrink.
import type { Finding } from '../finding.ts';
import { oversized, sizes } from '../rules.ts';
import { child, identifierName, type Source, type SyntaxNode } from '../source.ts';

/** Files and functions over the limit. A list entry must name today's size, so that it follows every shrinking. */
export function checkSizes(
  sources: readonly Source[],
  allowed: Readonly<Record<string, number>> = oversized,
): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const measure = (file: string, line: number, name: string, lines: number, limit: number) => {
    const allowance = allowed[name];
    if (allowance !== undefined) seen.add(name);
    if (allowance === undefined ? lines <= limit : lines === allowance && lines > limit) return;
    const message =
      allowance === undefined
        ? `${name} has ${lines} lines, more than ${limit}`
        : `${name} has ${lines} lines; its entry in the list of oversized things says ${allowance}`;
    findings.push({ file, line, rule: 'size', message });
  };
  for (const source of sources) {
    measure(source.path, 1, source.path, countLines(source.text), sizes.fileLines);
    for (const { name, line, lines } of functionsOf(source)) {
      measure(source.path, line, `${source.path}:${name}`, lines, sizes.functionLines);
    }
  }
  for (const name of Object.keys(allowed)) {
    if (!seen.has(name))
      findings.push({ file: name, line: 1, rule: 'size', message: 'is listed as oversized and gone' });
  }
  return findings;
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function functionsOf(
  source: Source,
): readonly { readonly name: string; readonly line: number; readonly lines: number }[] {
  const found: { name: string; line: number; lines: number }[] = [];
  for (const { node, parent } of source.nodes) {
    // A describe block is a chapter, not a function; what stands in it is measured.
    if (!functionTypes.has(node.type) || (source.isTest && isDescribeBlock(parent))) continue;
    const line = source.lineOf(node.start);
    found.push({ name: functionName(node, parent), line, lines: source.lineOf(node.end) - line + 1 });
  }
  return found;
}

function isDescribeBlock(parent: SyntaxNode | null): boolean {
  if (parent?.type !== 'CallExpression') return false;
  let callee = child(parent, 'callee');
  while (callee !== null && identifierName(callee) === null)
    callee = child(callee, 'callee') ?? child(callee, 'object');
  return identifierName(callee) === 'describe';
}

function functionName(node: SyntaxNode, parent: SyntaxNode | null): string {
  const own = identifierName(child(node, 'id'));
  const holder = parent === null ? null : (child(parent, 'id') ?? child(parent, 'key'));
  return own ?? identifierName(holder) ?? 'anonymous';
}
