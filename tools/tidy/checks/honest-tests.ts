// A test that is switched off, runs alone or is tried again tells less than it seems to.
import type { Finding } from '../finding.ts';
import { child, identifierName, type Source, type SyntaxNode } from '../source.ts';

const testFunctions = new Set(['it', 'test', 'describe']);
const dishonest = new Set(['only', 'skip', 'todo', 'fails']);

/** Skipped, lonely, unwritten and repeated tests. Where a platform lacks something, skipIf and runIf say so. */
export function checkHonestTests(sources: readonly Source[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const source of sources) {
    if (!source.isTest) continue;
    for (const { node } of source.nodes) {
      const found = dishonestWord(node);
      if (found === null) continue;
      const message = `${found} makes a test tell less than it seems to`;
      findings.push({ file: source.path, line: source.lineOf(node.start), rule: 'test', message });
    }
  }
  return findings;
}

function dishonestWord(node: SyntaxNode): string | null {
  const key = identifierName(child(node, 'key'));
  if (node.type === 'Property' && (key === 'retry' || key === 'repeats')) return key;
  if (node.type !== 'MemberExpression') return null;
  const word = identifierName(child(node, 'property')) ?? '';
  const owner = identifierName(child(node, 'object')) ?? '';
  return testFunctions.has(owner) && dishonest.has(word) ? `${owner}.${word}` : null;
}
