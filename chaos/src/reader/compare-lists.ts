// Compares two lists in which each line has to occur the same number of times.
import type { Finding } from './finding.ts';

/** `wanted` is what the chain says, `found` what the books say. */
export function compareLists(wanted: readonly string[], found: readonly string[]): readonly Finding[] {
  const counts = new Map<string, { wanted: number; found: number }>();
  const at = (line: string) => {
    const count = counts.get(line) ?? { wanted: 0, found: 0 };
    counts.set(line, count);
    return count;
  };
  for (const line of wanted) at(line).wanted += 1;
  for (const line of found) at(line).found += 1;
  return [...counts].flatMap(([line, count]): readonly Finding[] => {
    if (count.found === count.wanted) return [];
    const fault = count.found < count.wanted ? 'lost' : count.wanted === 0 ? 'invented' : 'doubled';
    return [{ fault, what: `${line} (${count.found} times in the books, ${count.wanted} on the chain)` }];
  });
}
