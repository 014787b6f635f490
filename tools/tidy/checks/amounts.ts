// An amount is a type, not a number: its units are touched only where the rules say so.
import { type Finding, finding } from '../finding.ts';
import { amountPackages, unitsPlaces } from '../rules.ts';
import { child, identifierName, type PlacedNode } from '../source.ts';
import type { Tree } from '../tree.ts';

const why =
  'the units of an amount are touched only where amounts are made, stored or decoded; use core/money';

/** Reads of `.units` and calls of `unitsOf` outside the places that the rules name. */
export function checkAmounts({ sources }: Tree): readonly Finding[] {
  return sources
    .filter(({ path, isTest }) => !isTest && amountPackages.some((folder) => path.startsWith(folder)))
    .filter(({ path }) => !unitsPlaces.some(({ place }) => path.startsWith(place)))
    .flatMap(({ path, nodes, lineOf }) =>
      nodes.filter(opensAmount).map(({ node }) => finding(path, lineOf(node.start), 'amount', why)),
    );
}

function opensAmount({ node, parent }: PlacedNode): boolean {
  const named = (key: string) => identifierName(child(node, key));
  if (node.type === 'MemberExpression') return named('property') === 'units';
  if (node.type === 'CallExpression') return named('callee') === 'unitsOf';
  return node.type === 'Property' && parent?.type === 'ObjectPattern' && named('key') === 'units';
}
