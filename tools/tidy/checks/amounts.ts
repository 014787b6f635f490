// An amount is a type, not a number: its units are touched only where the rules say so.
import type { Finding } from '../finding.ts';
import { amountPackages, unitsPlaces } from '../rules.ts';
import { child, identifierName, type Source, type SyntaxNode } from '../source.ts';

/** Reads of `.units` and calls of `unitsOf` outside the places that the rules name. */
export function checkAmounts(sources: readonly Source[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const source of sources) {
    const { path } = source;
    if (source.isTest || !amountPackages.some((folder) => path.startsWith(folder))) continue;
    const mayUnpack = unitsPlaces.some(({ place }) => path.startsWith(place));
    if (mayUnpack) continue;
    for (const { node, parent } of source.nodes) {
      const isRead = readsUnits(node, parent);
      if (!isRead && !unpacksUnits(node)) continue;
      const message = isRead
        ? 'the units of an amount are read only where amounts are made, stored or decoded; use the functions of core/money'
        : 'unitsOf is for the places that store or decode amounts';
      findings.push({ file: path, line: source.lineOf(node.start), rule: 'amount', message });
    }
  }
  return findings;
}

function readsUnits(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (node.type === 'MemberExpression') return identifierName(child(node, 'property')) === 'units';
  return (
    node.type === 'Property' &&
    parent?.type === 'ObjectPattern' &&
    identifierName(child(node, 'key')) === 'units'
  );
}

function unpacksUnits(node: SyntaxNode): boolean {
  return node.type === 'CallExpression' && identifierName(child(node, 'callee')) === 'unitsOf';
}
