// Finds tests that are skipped, run alone or repeated: such a test says less than it seems to.
import { type Finding, finding } from '../finding.ts';
import { child, identifierName, type SyntaxNode } from '../source.ts';
import type { Tree } from '../tree.ts';

/** Uses of only, skip, todo, fails, retry and repeats. Where a platform lacks something, skipIf and runIf are allowed. */
export function checkHonestTests({ sources }: Tree): readonly Finding[] {
  return sources
    .filter(({ isTest }) => isTest)
    .flatMap(({ path, nodes, lineOf }) =>
      nodes
        .filter(({ node }) => isDishonest(node))
        .map(({ node }) =>
          finding(path, lineOf(node.start), 'test', 'such a test says less than it seems to'),
        ),
    );
}

function isDishonest(node: SyntaxNode): boolean {
  const named = (key: string) => identifierName(child(node, key)) ?? '';
  if (node.type === 'Property') return ['retry', 'repeats'].includes(named('key'));
  if (node.type !== 'MemberExpression' || !['it', 'test', 'describe'].includes(named('object'))) return false;
  return ['only', 'skip', 'todo', 'fails'].includes(named('property'));
}
